// passes.mjs - a material as the passes that it is drawn in, one after the other: its stages, or its simple reading.
import { constants as C } from '../bspscene.mjs';
import { clamp01, frameAt, modifiersAt, placingAt, waveAt } from './waves.mjs';

const BLENDS = {
	[C.ALPHA_OPAQUE]: [C.BLEND_ONE, C.BLEND_ZERO],
	[C.ALPHA_MASK]: [C.BLEND_ONE, C.BLEND_ZERO],
	[C.ALPHA_BLEND]: [C.BLEND_SRC_ALPHA, C.BLEND_ONE_MINUS_SRC_ALPHA],
	[C.ALPHA_ADD]: [C.BLEND_ONE, C.BLEND_ONE],
	[C.ALPHA_MODULATE]: [C.BLEND_DST_COLOR, C.BLEND_ZERO],
};
const USES_VERTEX_ALPHA = [C.ALPHA_GEN_VERTEX, C.ALPHA_GEN_TERRAIN, C.ALPHA_GEN_ONE_MINUS_VERTEX];

function multiplies({ src, dst }) {
	return (src === C.BLEND_DST_COLOR && dst === C.BLEND_ZERO) || (src === C.BLEND_ZERO && dst === C.BLEND_SRC_COLOR);
}

function isOpaque({ src, dst }) {
	return src === C.BLEND_ONE && dst === C.BLEND_ZERO;
}

// What a pass shows: `images(time)` numbers of the base, second and glowing image, `coordinates(time)`,
// `color(time, node)` and `alpha(time, node)` by which it is multiplied, and how it meets what is behind.
function passOfStage(scene, stage) {
	const frames = scene.frames?.subarray(stage.first_frame, stage.first_frame + stage.frame_count) ?? [];
	return {
		source: stage.source,
		tcGen: stage.tc_gen,
		vectors: stage.tc_vectors,
		images: (time) => [frames[frameAt(time, stage.frames_per_second, stage.frame_count || 1)] ?? C.NO_INDEX],
		coordinates: (time) => modifiersAt(stage, time),
		vertexColor: { [C.COLOR_VERTEX]: 1, [C.COLOR_ONE_MINUS_VERTEX]: -1 }[stage.color_gen] ?? 0,
		vertexAlpha: USES_VERTEX_ALPHA.includes(stage.alpha_gen)
			? stage.alpha_gen === C.ALPHA_GEN_ONE_MINUS_VERTEX
				? -1
				: 1
			: 0,
		terrain: stage.alpha_gen === C.ALPHA_GEN_TERRAIN,
		lit: stage.color_gen === C.COLOR_LIGHT || stage.color_gen === C.COLOR_DIFFUSE,
		color: (time, node) => colorOf(stage, time, node),
		alpha: (time, node) => alphaOf(stage, time, node),
		src: stage.src_blend,
		dst: stage.dst_blend,
		cutoff:
			stage.alpha_test === C.ALPHA_OPAQUE
				? 0
				: stage.alpha_test_less
					? -stage.alpha_cutoff
					: stage.alpha_cutoff,
		depthWrite: stage.depth_write,
		depthEqual: stage.depth_equal,
		clamp: stage.clamp,
	};
}

function colorOf(stage, time, node) {
	switch (stage.color_gen) {
		case C.COLOR_CONST:
			return stage.color;
		case C.COLOR_WAVE:
			return Array(3).fill(clamp01(waveAt(stage.color_wave, time)));
		case C.COLOR_ENTITY:
			return node.color;
		case C.COLOR_ONE_MINUS_ENTITY:
			return node.color.map((value) => 1 - value);
	}
	return [1, 1, 1];
}

function alphaOf(stage, time, node) {
	switch (stage.alpha_gen) {
		case C.ALPHA_GEN_CONST:
			return stage.alpha;
		case C.ALPHA_GEN_WAVE:
			return clamp01(waveAt(stage.alpha_wave, time));
		case C.ALPHA_GEN_ENTITY:
		case C.ALPHA_GEN_GLOW:
			return node.color_alpha;
		case C.ALPHA_GEN_ONE_MINUS_ENTITY:
			return 1 - node.color_alpha;
	}
	return 1;
}

function simplePass(scene, material) {
	const { animation } = material;
	const animated = (first, still) => (time) =>
		animation && first !== C.NO_INDEX
			? scene.frames[first + frameAt(time, animation.frames_per_second, animation.frame_count, animation.once)]
			: still;
	const base = animated(animation?.first_frame, material.base_image);
	const glow = animated(animation?.first_glow, material.emissive_image);
	const [src, dst] = BLENDS[material.alpha_mode];
	const writes = material.alpha_mode === C.ALPHA_OPAQUE || material.alpha_mode === C.ALPHA_MASK;
	return {
		source: C.STAGE_IMAGE,
		tcGen: C.TC_TEXTURE,
		vertexColor: 0,
		vertexAlpha: 0,
		lit: !material.unlit,
		images: (time) => [base(time), material.second_image, glow(time)],
		coordinates: (time) => placingAt(material, time),
		color: () => material.color,
		alpha: () => material.color[3],
		emissive: material.emissive,
		src,
		dst,
		depthWrite: writes,
		depthEqual: false,
		clamp: material.clamp,
		cutoff: material.alpha_mode === C.ALPHA_MASK ? material.alpha_cutoff : 0,
	};
}

// Light below or upon a texture is one pass with it, as engines draw it: half of the draw calls.
function joinLight(passes) {
	const [a, b] = passes;
	const isLight = (pass) =>
		pass.source === C.STAGE_LIGHT || (pass.source === C.STAGE_LIGHTMAP && pass.tcGen === C.TC_LIGHTMAP);
	const isPlain = (pass) => !pass.vertexColor && !pass.vertexAlpha && !pass.cutoff;
	if (!a || !b || !isOpaque(a) || !multiplies(b) || a.lit || b.lit || isLight(a) === isLight(b)) return passes;
	const [light, texture] = isLight(a) ? [a, b] : [b, a];
	if (!isPlain(light) || texture.source !== C.STAGE_IMAGE || (texture === b && texture.cutoff)) return passes;
	return [
		{
			...texture,
			style: light.style,
			lit: true,
			src: a.src,
			dst: a.dst,
			depthWrite: a.depthWrite,
			depthEqual: a.depthEqual,
			color: (time, node) => texture.color(time, node).map((value, i) => value * light.color(time, node)[i]),
		},
		...passes.slice(2),
	];
}

export function passesOf(scene, material) {
	if (!material.stage_count) return [simplePass(scene, material)];
	const stages = scene.stages.slice(material.first_stage, material.first_stage + material.stage_count);
	// Of materials whose stages name styles each shows its own light, else the sum of all.
	const isStyled = stages.some((stage) => stage.light_style !== 0);
	return joinLight(
		stages.map((stage) => ({ ...passOfStage(scene, stage), style: isStyled ? stage.light_style : undefined })),
	);
}
