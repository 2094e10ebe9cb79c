// passes.mjs - the passes in which a material is drawn. They come from its material_passes. If it has none, a pass is
// made from its simple description.
import { constants as C } from '../bspscene.mjs';
import { clamp01, frameAt, modifiersAt, placingAt, waveAt } from './waves.mjs';

const BLENDS = {
	[C.ALPHA_MODE_OPAQUE]: [C.BLEND_ONE, C.BLEND_ZERO],
	[C.ALPHA_MODE_MASK]: [C.BLEND_ONE, C.BLEND_ZERO],
	[C.ALPHA_MODE_BLEND]: [C.BLEND_SRC_ALPHA, C.BLEND_ONE_MINUS_SRC_ALPHA],
	[C.ALPHA_MODE_ADD]: [C.BLEND_ONE, C.BLEND_ONE],
	[C.ALPHA_MODE_MODULATE]: [C.BLEND_DST_COLOR, C.BLEND_ZERO],
};
// Value of `input` for a pass that draws only fog, over a surface that was drawn in several passes. Scenes have no
// such passes.
export const FOG_SOURCE = -1;
// What fog does to a pass: nothing, it covers the pass with its color, or it fades the color of the pass, its alpha or
// both.
export const FOG = { NONE: 0, OVER: 1, LESS_COLOR: 2, LESS_ALPHA: 3, LESS_BOTH: 4 };
// Whether alpha depends on where the eye is, and how.
export const ALPHA = { PLAIN: 0, SPECULAR: 1, PORTAL: 2 };
// Mean of the weights that the engine gives to vertices for dirt.
const MEAN_DIRT = 0.40625;
const VIEW_ALPHAS = { [C.ALPHA_GEN_SPECULAR]: ALPHA.SPECULAR, [C.ALPHA_GEN_PORTAL]: ALPHA.PORTAL };
const SORT_OPAQUE = 3;
// Numbers for how a glow fades with its distance (xash3d gl_sprite.c, R_SpriteGlowBlend).
const GLOW_REACH = 19000;
const LEAST_GLOW = 0.05;
const USES_VERTEX_ALPHA = [C.ALPHA_GEN_VERTEX, C.ALPHA_GEN_TERRAIN, C.ALPHA_GEN_ONE_MINUS_VERTEX];

function multiplies({ src, dst }) {
	return (src === C.BLEND_DST_COLOR && dst === C.BLEND_ZERO) || (src === C.BLEND_ZERO && dst === C.BLEND_SRC_COLOR);
}

function isOpaque({ src, dst }) {
	return src === C.BLEND_ONE && dst === C.BLEND_ZERO;
}

// Makes a pass from a stage. images(time) returns the numbers of the base, second and glow image. coordinates(time)
// returns the texture transforms. color(time, node) and alpha(time, node, square) return factors. `src` and `dst` say
// how the pass blends with what was drawn before.
export function passOfStage(scene, stage) {
	const { first_frame_image: first, frame_image_count: count } = stage;
	const frames = scene.frame_images?.subarray(first, first + count) ?? [];
	return {
		input: stage.input,
		tcGen: stage.tc_gen,
		vectors: stage.tc_vectors,
		images: (time) => [frames[frameAt(time, stage.frames_per_second, stage.frame_image_count || 1)] ?? C.NO_INDEX],
		coordinates: (time) => modifiersAt(stage, time),
		// True for liquids whose texture coordinates are warped.
		warps: stage.tc_mods[0].kind === C.TC_MOD_WARP && stage.tc_mod_count > 0,
		box: [C.TC_GEN_REFLECTION, C.TC_GEN_SURROUND].includes(stage.tc_gen) ? [...frames] : null,
		viewAlpha: VIEW_ALPHAS[stage.alpha_gen] ?? ALPHA.PLAIN,
		alphaRange: stage.alpha_range,
		vertexColor: { [C.COLOR_GEN_VERTEX]: 1, [C.COLOR_GEN_ONE_MINUS_VERTEX]: -1 }[stage.color_gen] ?? 0,
		vertexAlpha: USES_VERTEX_ALPHA.includes(stage.alpha_gen)
			? stage.alpha_gen === C.ALPHA_GEN_ONE_MINUS_VERTEX
				? -1
				: 1
			: 0,
		terrain: stage.alpha_gen === C.ALPHA_GEN_TERRAIN,
		lit: stage.color_gen === C.COLOR_GEN_LIGHT || stage.color_gen === C.COLOR_GEN_DIFFUSE,
		color: (time, node) => colorOf(stage, time, node),
		alpha: (time, node, square) => alphaOf(stage, time, node, square),
		glows: stage.alpha_gen === C.ALPHA_GEN_GLOW,
		src: stage.src_blend,
		dst: stage.dst_blend,
		cutoff:
			stage.alpha_test === C.ALPHA_MODE_OPAQUE
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
		case C.COLOR_GEN_CONST:
			return stage.color;
		case C.COLOR_GEN_WAVE:
			return Array(3).fill(clamp01(waveAt(stage.color_wave, time)));
		case C.COLOR_GEN_ENTITY:
			return node.color;
		case C.COLOR_GEN_ONE_MINUS_ENTITY:
			return node.color.map((value) => 1 - value);
	}
	return [1, 1, 1];
}

// Returns the alpha of a pass. `square` is the square of the distance between the eye and the node.
function alphaOf(stage, time, node, square) {
	switch (stage.alpha_gen) {
		case C.ALPHA_GEN_CONST:
			return stage.alpha;
		case C.ALPHA_GEN_DIRT:
			return stage.alpha * MEAN_DIRT;
		case C.ALPHA_GEN_WAVE:
			return clamp01(waveAt(stage.alpha_wave, time));
		case C.ALPHA_GEN_ENTITY:
			return node.color_alpha;
		case C.ALPHA_GEN_GLOW:
			return node.color_alpha * Math.min(Math.max(GLOW_REACH / square, LEAST_GLOW), 1);
		case C.ALPHA_GEN_ONE_MINUS_ENTITY:
			return 1 - node.color_alpha;
	}
	return 1;
}

function simplePass(scene, material) {
	const { animation } = material;
	const animated = (first, still) => (time) =>
		animation && first !== C.NO_INDEX
			? scene.frame_images[
					first + frameAt(time, animation.frames_per_second, animation.frame_image_count, animation.once)
				]
			: still;
	const base = animated(animation?.first_frame_image, material.base_image);
	const glow = animated(animation?.first_emissive_image, material.emissive_image);
	const [plain, dst] = BLENDS[material.alpha_mode];
	const src = material.alpha_mode === C.ALPHA_MODE_ADD && material.added_by_alpha ? C.BLEND_SRC_ALPHA : plain;
	const writes = material.alpha_mode === C.ALPHA_MODE_OPAQUE || material.alpha_mode === C.ALPHA_MODE_MASK;
	return {
		input: C.PASS_INPUT_IMAGE,
		tcGen: C.TC_GEN_TEXTURE,
		vertexColor: 0,
		vertexAlpha: 0,
		lit: !material.unlit,
		images: (time) => [base(time), material.second_image, glow(time)],
		coordinates: (time) => placingAt(material, time),
		extras: extrasOf(material),
		color: () => material.color,
		alpha: () => material.color[3],
		emissive: material.emissive,
		src,
		dst,
		depthWrite: writes,
		depthEqual: false,
		clamp: material.clamp,
		cutoff: material.alpha_mode === C.ALPHA_MODE_MASK ? material.alpha_cutoff : 0,
	};
}

// If one of the first two passes shows light and the other the texture that it is multiplied with, makes one pass of
// both. Engines do so too; it halves the draw calls.
function joinLight(passes) {
	const [a, b] = passes;
	const isLight = (pass) =>
		pass.input === C.PASS_INPUT_LIGHT || (pass.input === C.PASS_INPUT_LIGHTMAP && pass.tcGen === C.TC_GEN_LIGHTMAP);
	const isPlain = (pass) => !pass.vertexColor && !pass.vertexAlpha && !pass.cutoff;
	if (!a || !b || !isOpaque(a) || !multiplies(b) || a.lit || b.lit || isLight(a) === isLight(b)) return passes;
	const [light, texture] = isLight(a) ? [a, b] : [b, a];
	if (!isPlain(light) || texture.input !== C.PASS_INPUT_IMAGE || (texture === b && texture.cutoff)) return passes;
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

// Returns the additional effects of a material without passes: a mask for the border between the base image and the
// second image, a detail texture, and layers.
function extrasOf(material) {
	const { blend_mask: mask, detail_texture: detail, layers } = material;
	return {
		mask,
		detail,
		layers: layers.slice(0, material.layer_count),
		maskPlace: mask && [mask.uv_scale[0], 0, mask.uv_offset[0], 0, mask.uv_scale[1], mask.uv_offset[1]],
		detailPlace: (time) => placingAt(material, time, detail.uv_scale).before,
	};
}

function drawnPasses(scene, material, section) {
	if (material.kind === C.MATERIAL_FOG && !material.pass_count) return [];
	if (!material.pass_count) return [simplePass(scene, material)];
	const all = scene.material_passes.slice(material.first_pass, material.first_pass + material.pass_count);
	// Surfaces without a page have no light of further styles, so passes for such light are left out.
	const passes = all.filter((stage) => !stage.light_style || section.lightmap_page !== C.NO_INDEX);
	// If some pass has a light style, each pass shows the light of its own style. Otherwise each pass shows the sum of
	// all styles.
	const isStyled = passes.some((stage) => stage.light_style !== 0);
	return joinLight(
		passes.map((stage) => ({ ...passOfStage(scene, stage), style: isStyled ? stage.light_style : undefined })),
	);
}

const blendsBy = (src, dst) => (pass) => pass.src === src && pass.dst === dst;
const adds = blendsBy(C.BLEND_ONE, C.BLEND_ONE);
const darkens = blendsBy(C.BLEND_ZERO, C.BLEND_ONE_MINUS_SRC_COLOR);
const premultiplied = blendsBy(C.BLEND_ONE, C.BLEND_ONE_MINUS_SRC_ALPHA);
const blends = blendsBy(C.BLEND_SRC_ALPHA, C.BLEND_ONE_MINUS_SRC_ALPHA);

// Returns what a fog volume does to a translucent pass (tr_shader.c, adjustColorsForFog).
function fadeOf(pass) {
	if (premultiplied(pass)) return FOG.LESS_BOTH;
	if (adds(pass) || darkens(pass)) return FOG.LESS_COLOR;
	return blends(pass) ? FOG.LESS_ALPHA : FOG.NONE;
}

// Returns what the map's own fog does to a pass (gl_rmain.c, R_BlendFuncFlags).
function hazeOf(pass) {
	if (blends(pass)) return FOG.OVER;
	return pass.dst === C.BLEND_ONE ? FOG.LESS_COLOR : FOG.NONE;
}

// Returns the passes of a section. On opaque surfaces, fog is part of the pass if there is only one. Otherwise one more
// pass is added for the fog, after all others.
export function passesOf(scene, material, section) {
	const passes = drawnPasses(scene, material, section);
	const inFog = section.fog !== C.NO_INDEX && Boolean(scene.materials[scene.fogs[section.fog].material]?.fog);
	const inHaze = scene.map_fog.density > 0;
	if (!inFog && !inHaze) return passes.map((pass) => ({ ...pass, fog: FOG.NONE, haze: FOG.NONE }));
	const covers = passes.length > 0 && isOpaque(passes[0]);
	const over = inFog && (material.sort <= SORT_OPAQUE || material.kind === C.MATERIAL_FOG);
	const haze = inHaze && covers;
	const fogged = passes.map((pass) => ({
		...pass,
		fog: inFog && !over ? fadeOf(pass) : FOG.NONE,
		haze: inHaze && !covers ? hazeOf(pass) : FOG.NONE,
	}));
	if (!over && !haze) return fogged;
	const veils = { fog: over ? FOG.OVER : FOG.NONE, haze: haze ? FOG.OVER : FOG.NONE };
	if (passes.length === 1 && covers) return [{ ...fogged[0], ...veils }];
	return [...fogged, fogPass(passes.some(({ depthWrite }) => depthWrite), veils)];
}

function fogPass(isDrawn, veils) {
	const place = placingAt({ uv_rotation_radians: 0, uv_scale: [1, 1], uv_offset: [0, 0], scroll: [0, 0] }, 0);
	return {
		input: FOG_SOURCE,
		...veils,
		tcGen: C.TC_GEN_TEXTURE,
		vertexColor: 0,
		vertexAlpha: 0,
		images: () => [C.NO_INDEX],
		coordinates: () => place,
		color: () => [1, 1, 1],
		alpha: () => 1,
		src: C.BLEND_ONE,
		dst: C.BLEND_ONE_MINUS_SRC_ALPHA,
		depthWrite: false,
		depthEqual: isDrawn,
		cutoff: 0,
	};
}
