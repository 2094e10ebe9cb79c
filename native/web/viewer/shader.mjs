// shader.mjs - draws a pass over a surface as a material of three.js. It computes the same as native/render/shade, in
// display space like the games.
import * as THREE from 'three';
import { constants as C } from '../bspscene.mjs';
import { ALPHA, FOG_SOURCE } from './passes.mjs';
import { FRAGMENT_FOG, FRAGMENT_LAYERS, VERTEX_FOG } from './veils.mjs';

export const LARGEST_STYLES = 8;

const VERTEX = `
	precision highp float;
	uniform mat4 viewMatrix, projectionMatrix;
	uniform vec3 cameraPosition;
	in vec3 position, normal;
	in vec2 uv;
	in vec2 lightUv;
	in vec4 vertexColor;
	in float blendAlpha;
	uniform mat3 before, after;
	uniform vec2 turbulence;
	uniform vec3 warp;
	uniform int tcGen;
	uniform vec4 vectors[2];
	uniform bool modelLit;
	#if CROWD == 1
	in vec4 row0, row1, row2, lit0, lit1, lit2, lit3, lit4, lit5;
	#else
	uniform mat4 modelMatrix;
	uniform vec3 modelSides[6], modelDirected, modelDirection;
	#endif
	in vec4 blendWeights;
	out vec2 baseUv, pageUv, meshUv;
	out vec4 tint, weights;
	out vec3 vertexLight, worldAt, worldNormal;
	out float blendWeight, shine;
	${VERTEX_FOG}

	vec2 environment(vec3 at, vec3 normal) {
		vec3 viewer = normalize(cameraPosition - at);
		vec3 reflected = normal * 2.0 * dot(normal, viewer) - viewer;
		return vec2(0.5 + reflected.y * 0.5, 0.5 - reflected.z * 0.5);
	}

	vec3 modelLight(vec3 normal) {
		#if CROWD == 1
		vec3 modelSides[6] = vec3[6](lit0.xyz, vec3(lit0.w, lit1.xy), vec3(lit1.zw, lit2.x), lit2.yzw, lit3.xyz,
			vec3(lit3.w, lit4.xy));
		vec3 modelDirected = vec3(lit4.zw, lit5.x), modelDirection = lit5.yzw;
		#endif
		vec3 squared = normal * normal;
		return squared.x * modelSides[normal.x < 0.0 ? 1 : 0] + squared.y * modelSides[normal.y < 0.0 ? 3 : 2]
			+ squared.z * modelSides[normal.z < 0.0 ? 5 : 4] + modelDirected * max(0.0, dot(normal, modelDirection));
	}

	// The engine has one light position for all highlights (tr_shade_calc.c, RB_CalcSpecularAlpha).
	float specular(vec3 at, vec3 normal) {
		vec3 toLight = normalize(vec3(-960.0, 1980.0, 96.0) - at);
		vec3 reflected = normal * 2.0 * dot(normal, toLight) - toLight;
		float l = max(dot(reflected, normalize(cameraPosition - at)), 0.0);
		return min(l * l * l * l, 1.0);
	}

	void main() {
		#if CROWD == 1
		mat4 modelMatrix = transpose(mat4(row0, row1, row2, vec4(0.0, 0.0, 0.0, 1.0)));
		#endif
		vec4 at = modelMatrix * vec4(position, 1.0);
		vec3 turned = normalize(mat3(modelMatrix) * normal);
		vec2 start = uv;
		if (tcGen == ${C.TC_GEN_LIGHTMAP}) start = lightUv;
		if (tcGen == ${C.TC_GEN_ENVIRONMENT}) start = environment(at.xyz, turned);
		if (tcGen == ${C.TC_GEN_SIGHT}) start = normalize(at.xyz - cameraPosition).xy;
		if (tcGen == ${C.TC_GEN_VECTOR}) start = vec2(dot(at, vectors[0]), dot(at, vectors[1]));
		vec2 moved = (before * vec3(start, 1.0)).xy;
		moved += sin((vec2(at.x + at.z, at.y) / 1024.0 + turbulence.y) * 6.283185307) * turbulence.x;
		if (WARP == 2) moved += warp.x * sin(warp.y * moved.yx + warp.z);
		baseUv = WARP == 1 ? moved : (after * vec3(moved, 1.0)).xy;
		meshUv = uv;
		worldAt = at.xyz;
		worldNormal = turned;
		weights = blendWeights;
		shine = specular(at.xyz, turned);
		findFog(at.xyz);
		pageUv = lightUv;
		tint = vertexColor;
		blendWeight = blendAlpha;
		vertexLight = modelLit ? modelLight(turned) : vertexColor.rgb * VERTEX_INTENSITY;
		gl_Position = projectionMatrix * viewMatrix * at;
	}`;

const FRAGMENT = `
	precision highp float;
	precision highp sampler2DArray;
	uniform vec3 cameraPosition;
	uniform sampler2D base, second, glow;
	uniform sampler2DArray pages, sides;
	uniform float styles[${LARGEST_STYLES}];
	uniform int styleCount, lighting, show;
	uniform vec3 color, emissive, warp;
	uniform mat3 after;
	uniform float alpha, cutoff, lightLimit, alphaRange;
	uniform bool hasSecond, hasSides;
	in vec2 baseUv, pageUv, meshUv;
	in vec4 tint, weights;
	in vec3 vertexLight, worldAt, worldNormal;
	in float blendWeight, shine;
	out vec4 result;
	${FRAGMENT_LAYERS}
	${FRAGMENT_FOG}

	vec3 light() {
		if (show == 1) return vec3(1.0);
		if (lighting == ${C.LIGHTING_FULLBRIGHT}) return vec3(1.0);
		if (lighting == ${C.LIGHTING_BLACK}) return vec3(0.0);
		if (lighting == ${C.LIGHTING_VERTEX}) return vertexLight;
		vec3 sum = vec3(0.0);
		for (int i = 0; i < styleCount; i++) sum += texture(pages, vec3(pageUv, float(i))).rgb * styles[i];
		return lightLimit > 0.0 ? min(sum, vec3(lightLimit)) : sum;
	}

	// Samples the picture of a box in a direction, as the library's bspi_box_side does.
	vec4 boxAt(vec3 d) {
		vec3 a = abs(d);
		vec2 st;
		float side;
		if (a.x >= a.y && a.x >= a.z) {
			side = d.x > 0.0 ? 0.0 : 2.0;
			st = vec2(d.x > 0.0 ? -d.y : d.y, d.z) / a.x;
		} else if (a.y >= a.z) {
			side = d.y > 0.0 ? 1.0 : 3.0;
			st = vec2(d.y > 0.0 ? d.x : -d.x, d.z) / a.y;
		} else {
			side = d.z > 0.0 ? 4.0 : 5.0;
			st = vec2(-d.y, d.z > 0.0 ? -d.x : d.x) / a.z;
		}
		return texture(sides, vec3((st.x + 1.0) * 0.5, 1.0 - (st.y + 1.0) * 0.5, side));
	}

	vec4 image() {
		if (BOX == 1 && !hasSides) return vec4(1.0);
		vec3 sight = worldAt - cameraPosition;
		if (BOX == 1) return boxAt(TC_GEN == ${C.TC_GEN_REFLECTION} ? reflect(sight, normalize(worldNormal)) : sight);
		vec2 uv = baseUv;
		if (WARP == 1) uv = (after * vec3(uv + warp.x * sin(warp.y * uv.yx + warp.z), 1.0)).xy;
		vec4 texel = LAYERS > 0 ? layered(baseUv) : texture(base, uv);
		if (hasSecond && LAYERS == 0) texel.rgb = covered(texel.rgb, texture(second, uv).rgb, borderWeight());
		return DETAIL >= 0 ? detailed(texel) : texel;
	}

	void main() {
		if (SOURCE == ${FOG_SOURCE}) {
			result = show == 0 ? veil() : vec4(0.0);
			return;
		}
		vec4 texel = vec4(1.0);
		if (SOURCE == ${C.PASS_INPUT_IMAGE}) {
			if (show != 2) texel = image();
		} else if (SOURCE == ${C.PASS_INPUT_LIGHT} || SOURCE == ${C.PASS_INPUT_LIGHTMAP}) {
			texel.rgb = light();
		}
		if (LIT == 1) texel.rgb *= light();
		if (VERTEX_COLOR == 1) texel.rgb *= tint.rgb;
		if (VERTEX_COLOR == -1) texel.rgb *= 1.0 - tint.rgb;
		texel.rgb *= color;
		texel.a *= alpha;
		if (VERTEX_ALPHA == 1) texel.a *= tint.a;
		if (VERTEX_ALPHA == -1) texel.a *= 1.0 - tint.a;
		if (TERRAIN == 1) texel.a = clamp(2.0 * texel.a - 0.5, 0.0, 1.0);
		if (VIEW_ALPHA == ${ALPHA.SPECULAR}) texel.a *= shine;
		if (VIEW_ALPHA == ${ALPHA.PORTAL} && alphaRange > 0.0)
			texel.a *= clamp(distance(worldAt, cameraPosition) / alphaRange, 0.0, 1.0);
		if (cutoff > 0.0 && texel.a < cutoff || cutoff < 0.0 && texel.a >= -cutoff) discard;
		if (show != 2 && emissive != vec3(0.0)) texel.rgb = shining(texel.rgb, texture(glow, baseUv).rgb * emissive);
		result = show == 0 ? fogged(texel) : texel;
	}`;

const FACTORS = {
	[C.BLEND_ZERO]: THREE.ZeroFactor,
	[C.BLEND_ONE]: THREE.OneFactor,
	[C.BLEND_SRC_COLOR]: THREE.SrcColorFactor,
	[C.BLEND_ONE_MINUS_SRC_COLOR]: THREE.OneMinusSrcColorFactor,
	[C.BLEND_DST_COLOR]: THREE.DstColorFactor,
	[C.BLEND_ONE_MINUS_DST_COLOR]: THREE.OneMinusDstColorFactor,
	[C.BLEND_SRC_ALPHA]: THREE.SrcAlphaFactor,
	[C.BLEND_ONE_MINUS_SRC_ALPHA]: THREE.OneMinusSrcAlphaFactor,
	[C.BLEND_DST_ALPHA]: THREE.OneFactor,
	[C.BLEND_ONE_MINUS_DST_ALPHA]: THREE.ZeroFactor,
	[C.BLEND_SRC_ALPHA_SATURATE]: THREE.ZeroFactor,
};
const SIDES = { [C.CULL_BACK]: THREE.FrontSide, [C.CULL_FRONT]: THREE.BackSide, [C.CULL_NONE]: THREE.DoubleSide };

const pixel = (...rgba) => {
	const texture = new THREE.DataTexture(new Uint8Array(rgba), 1, 1);
	texture.needsUpdate = true;
	return texture;
};
export const WHITE = pixel(255, 255, 255, 255);
export const BLACK = pixel(0, 0, 0, 255);

const EMPTY_SIDES = new THREE.DataArrayTexture(new Uint8Array(4).fill(255), 1, 1, 1);
EMPTY_SIDES.needsUpdate = true;

const plainMatrix = () => ({ value: new THREE.Matrix3() });
const asMatrix = ([a, b, c, d, e, f], matrix = new THREE.Matrix3()) => matrix.set(a, b, c, d, e, f, 0, 0, 1);

function definesOf(pass, material, { vertexIntensity, hasWeights, isCrowd }) {
	const { detail, mask, layers = [] } = pass.extras ?? {};
	const cuts = material.deform_count > 0;
	return {
		SOURCE: pass.input,
		CROWD: isCrowd ? 1 : 0,
		TC_GEN: pass.tcGen,
		LIT: pass.lit ? 1 : 0,
		VERTEX_COLOR: pass.vertexColor,
		VERTEX_ALPHA: pass.vertexAlpha,
		TERRAIN: pass.terrain ? 1 : 0,
		VERTEX_INTENSITY: vertexIntensity.toFixed(6),
		WARP: pass.warps ? (cuts ? 2 : 1) : 0,
		BOX: pass.box ? 1 : 0,
		VIEW_ALPHA: pass.viewAlpha ?? ALPHA.PLAIN,
		VOLUME_FOG: pass.fog,
		MAP_FOG: pass.haze,
		DETAIL: detail ? detail.mode : -1,
		MASK: mask ? (mask.masked ? 2 : 1) : 0,
		LAYERS: hasWeights ? layers.length : 0,
	};
}

// Returns the uniforms for the additional effects of a material without passes.
function extraUniforms({ detail, layers = [], maskPlace } = {}) {
	const rows = layers.map((layer) => [...layer.blend, ...layer.luminance, layer.luminance_share, layer.doubled]);
	const numbers = Array.from({ length: C.MATERIAL_MAX_LAYERS }, (_, i) => rows[i] ?? [0, 1, 0, 1, 0, 0]);
	const images = { maskImage: { value: WHITE }, detailImage: { value: WHITE } };
	for (let i = 0; i < C.MATERIAL_MAX_LAYERS; i++) images[`layer${i}`] = { value: WHITE };
	return {
		...images,
		maskPlace: { value: maskPlace ? asMatrix(maskPlace) : new THREE.Matrix3() },
		detailPlace: plainMatrix(),
		detailColor: { value: new THREE.Vector3(...(detail?.color ?? [1, 1, 1])) },
		detailFactor: { value: detail?.factor ?? 0 },
		layerScale: {
			value: numbers.map((_, i) => new THREE.Vector2(...(layers[i]?.uv_scale ?? [1, 1]))),
		},
		layerRanges: { value: numbers.map((row) => new THREE.Vector4(...row.slice(0, 4))) },
		layerShares: { value: numbers.map((row) => new THREE.Vector2(row[4], row[5] ? 1 : 0)) },
	};
}

function uniformsOf(pass, facts) {
	const vectors = pass.vectors ?? [
		[1, 0, 0, 0],
		[0, 1, 0, 0],
	];
	return {
		...extraUniforms(pass.extras),
		...facts.fog,
		before: plainMatrix(),
		after: plainMatrix(),
		turbulence: { value: new THREE.Vector2() },
		warp: { value: new THREE.Vector3() },
		tcGen: { value: pass.tcGen },
		vectors: { value: vectors.map((v) => new THREE.Vector4(...v)) },
		modelSides: { value: facts.sides },
		modelDirected: { value: facts.directed },
		modelDirection: { value: facts.direction },
		modelLit: { value: facts.modelLit },
		base: { value: WHITE },
		second: { value: WHITE },
		glow: { value: BLACK },
		hasSecond: { value: false },
		sides: { value: EMPTY_SIDES },
		hasSides: { value: false },
		pages: { value: facts.pages },
		styles: { value: Array(LARGEST_STYLES).fill(0) },
		styleCount: { value: facts.sets.length },
		lighting: { value: facts.section.lighting },
		color: { value: new THREE.Vector3(1, 1, 1) },
		emissive: { value: new THREE.Vector3(...(pass.emissive ?? [0, 0, 0])) },
		alpha: { value: 1 },
		alphaRange: { value: pass.alphaRange ?? 0 },
		cutoff: { value: pass.cutoff },
	};
}

// Makes a material of three.js for a pass. `shared` are the uniforms that all passes of a view share. `facts` are those
// of the section and of the node.
export function passMaterial(pass, material, facts, shared) {
	return new THREE.RawShaderMaterial({
		glslVersion: THREE.GLSL3,
		vertexShader: VERTEX,
		fragmentShader: FRAGMENT,
		defines: definesOf(pass, material, facts),
		uniforms: { ...shared, ...uniformsOf(pass, facts) },
		transparent: true,
		blending: THREE.CustomBlending,
		blendSrc: FACTORS[pass.src],
		blendDst: FACTORS[pass.dst],
		blendSrcAlpha: THREE.ZeroFactor,
		blendDstAlpha: THREE.OneFactor,
		depthWrite: pass.depthWrite,
		depthFunc: pass.depthEqual ? THREE.EqualDepth : THREE.LessEqualDepth,
		side: SIDES[material.cull],
		polygonOffset: material.polygon_offset,
		polygonOffsetFactor: -1,
		polygonOffsetUnits: -2,
	});
}

// Sets the uniforms of a pass for a time. texture(image, clamp) returns the texture of an image. `square` is the square
// of the distance between the eye and the node.
export function movePass(made, pass, node, time, texture, square) {
	const { uniforms } = made;
	const [base, second = C.NO_INDEX, glow = C.NO_INDEX] = pass.images(time);
	const { before, after, turbulence, warp } = pass.coordinates(time);
	uniforms.base.value = texture(base, pass.clamp) ?? WHITE;
	uniforms.second.value = texture(second, pass.clamp) ?? WHITE;
	uniforms.hasSecond.value = second !== C.NO_INDEX;
	uniforms.glow.value = texture(glow, pass.clamp) ?? BLACK;
	asMatrix(before, uniforms.before.value);
	asMatrix(after, uniforms.after.value);
	uniforms.turbulence.value.set(...turbulence);
	uniforms.warp.value.set(...warp);
	uniforms.color.value.set(...pass.color(time, node).slice(0, 3));
	uniforms.alpha.value = pass.alpha(time, node, square);
	if (pass.extras) moveExtras(pass, uniforms, time, texture);
}

function moveExtras({ extras: { mask, detail, layers, detailPlace }, clamp }, uniforms, time, texture) {
	if (mask) uniforms.maskImage.value = texture(mask.image, clamp) ?? WHITE;
	layers.forEach(({ image }, i) => {
		uniforms[`layer${i}`].value = (i ? texture(image, clamp) : uniforms.base.value) ?? WHITE;
	});
	if (!detail) return;
	uniforms.detailImage.value = texture(detail.image, clamp) ?? WHITE;
	asMatrix(detailPlace(time), uniforms.detailPlace.value);
}

// Sets the six pictures of a pass that shows a box. `sides` is null until all of them are loaded.
export function showBox(made, sides) {
	made.uniforms.sides.value = sides ?? EMPTY_SIDES;
	made.uniforms.hasSides.value = Boolean(sides);
}
