// waves.mjs - computes values that change over time: waves, texture coordinates and frames (native/src/drawing/stage.c
// in C).
import { constants as C } from '../bspscene.mjs';

const TURN = 2 * Math.PI;

export function waveAt(wave, time) {
	let at = wave.phase + time * wave.frequency;
	at -= Math.floor(at);
	let value = 0;
	switch (wave.func) {
		case C.WAVE_SIN:
			value = Math.sin(at * TURN);
			break;
		case C.WAVE_SQUARE:
			value = at < 0.5 ? 1 : -1;
			break;
		case C.WAVE_TRIANGLE:
			value = at < 0.25 ? 4 * at : at < 0.75 ? 2 - 4 * at : 4 * at - 4;
			break;
		case C.WAVE_SAWTOOTH:
			value = at;
			break;
		case C.WAVE_INVERSE_SAWTOOTH:
			value = 1 - at;
			break;
	}
	return wave.base + value * wave.amplitude;
}

export const clamp01 = (value) => Math.min(Math.max(value, 0), 1);

// Affine maps of coordinates as [a, b, c, d, e, f]: u' = a u + b v + c, v' = d u + e v + f.
const IDENTITY = [1, 0, 0, 0, 1, 0];

function then(first, [a, b, c, d, e, f]) {
	const [p, q, r, s, t, w] = first;
	return [a * p + b * s, a * q + b * t, a * r + b * w + c, d * p + e * s, d * q + e * t, d * r + e * w + f];
}

function modifier({ kind, values: v, wave }, time) {
	switch (kind) {
		case C.TC_MOD_SCALE:
			return [v[0], 0, 0, 0, v[1], 0];
		case C.TC_MOD_SCROLL:
			return [1, 0, v[0] * time - Math.floor(v[0] * time), 0, 1, v[1] * time - Math.floor(v[1] * time)];
		case C.TC_MOD_OFFSET:
			return [1, 0, v[0], 0, 1, v[1]];
		case C.TC_MOD_TRANSFORM:
			return [v[0], v[2], v[4], v[1], v[3], v[5]];
		case C.TC_MOD_ROTATE: {
			const angle = (-v[0] * time * TURN) / 360;
			const [s, c] = [Math.sin(angle), Math.cos(angle)];
			return [c, -s, 0.5 - 0.5 * c + 0.5 * s, s, c, 0.5 - 0.5 * s - 0.5 * c];
		}
		case C.TC_MOD_STRETCH: {
			const at = waveAt(wave, time);
			const scale = Math.abs(at) > 1e-6 ? 1 / at : 1;
			return [scale, 0, 0.5 - 0.5 * scale, 0, scale, 0.5 - 0.5 * scale];
		}
	}
	return IDENTITY;
}

// Returns a stage's modifiers as two affine maps and the nonlinear part, which is applied between them: { before,
// after, turbulence: [amplitude, phase], warp: [amplitude, frequency, phase] }.
export function modifiersAt(stage, time) {
	const out = { before: IDENTITY, after: IDENTITY, turbulence: [0, 0], warp: [0, 0, 0] };
	let side = 'before';
	for (const mod of stage.tc_mods.slice(0, stage.tc_mod_count)) {
		if (mod.kind === C.TC_MOD_TURBULENCE && side === 'before') {
			out.turbulence = [mod.wave.amplitude, mod.wave.phase + time * mod.wave.frequency];
			side = 'after';
		} else if (mod.kind === C.TC_MOD_WARP && side === 'before') {
			out.warp = [mod.values[0], mod.values[1], mod.values[2] * time];
			side = 'after';
		} else {
			out[side] = then(out[side], modifier(mod, time));
		}
	}
	return out;
}

// Returns the texture coordinates of a material that has no material_passes. The texture is repeated `scale` times as
// often as the base image.
export function placingAt(material, time, scale = [1, 1]) {
	const [c, s] = [Math.cos(material.uv_rotation_radians), Math.sin(material.uv_rotation_radians)];
	const [x, y] = material.uv_scale.map((value, i) => value * scale[i]);
	const offset = material.uv_offset.map((value, i) => (value + material.scroll[i] * time) * scale[i]);
	return {
		before: [c * x, -s * y, offset[0], s * x, c * y, offset[1]],
		after: IDENTITY,
		turbulence: [0, 0],
		warp: [0, 0, 0],
	};
}

export function frameAt(time, framesPerSecond, count, once = false) {
	const frame = Math.floor(time * framesPerSecond);
	if (once && frame >= count) return count - 1;
	return frame > 0 ? frame % count : 0;
}

// Returns a light style's brightness at a time in seconds. The pattern has 10 letters for each second: "a" is dark,
// and "m" is the brightness `start`, to which the other letters are proportional.
export function styleAt(style, time) {
	if (style.start === 0 || style.pattern.length < 2) return style.start;
	const letter = style.pattern.charCodeAt(frameAt(time, 10, style.pattern.length));
	return (style.start * (letter - 97)) / 12;
}
