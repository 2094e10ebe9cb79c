// shader.mjs - one pass over a surface as a material of three.js: the arithmetic of native/render/shade, in display
// space, as the games do it.
import * as THREE from 'three';
import { constants as C } from '../bspscene.mjs';

export const LARGEST_STYLES = 8;

const VERTEX = `
	precision highp float;
	uniform mat4 modelMatrix, viewMatrix, projectionMatrix;
	uniform vec3 cameraPosition;
	in vec3 position, normal;
	in vec2 uv;
	in vec2 lightUv;
	in vec4 vertexColor;
	in float blendAlpha;
	uniform mat3 before, after;
	uniform vec2 turbulence;
	uniform int tcGen;
	uniform vec4 vectors[2];
	uniform vec3 modelSides[6], modelDirected, modelDirection;
	uniform bool modelLit;
	out vec2 baseUv, pageUv;
	out vec4 tint;
	out vec3 vertexLight;
	out float blendWeight;

	vec2 environment(vec3 at, vec3 normal) {
		vec3 viewer = normalize(cameraPosition - at);
		vec3 reflected = normal * 2.0 * dot(normal, viewer) - viewer;
		return vec2(0.5 + reflected.y * 0.5, 0.5 - reflected.z * 0.5);
	}

	vec3 modelLight(vec3 normal) {
		vec3 squared = normal * normal;
		return squared.x * modelSides[normal.x < 0.0 ? 1 : 0] + squared.y * modelSides[normal.y < 0.0 ? 3 : 2]
			+ squared.z * modelSides[normal.z < 0.0 ? 5 : 4] + modelDirected * max(0.0, dot(normal, modelDirection));
	}

	void main() {
		vec4 at = modelMatrix * vec4(position, 1.0);
		vec3 turned = normalize(mat3(modelMatrix) * normal);
		vec2 start = uv;
		if (tcGen == ${C.TC_LIGHTMAP}) start = lightUv;
		if (tcGen == ${C.TC_ENVIRONMENT}) start = environment(at.xyz, turned);
		if (tcGen == ${C.TC_VECTOR}) start = vec2(dot(at, vectors[0]), dot(at, vectors[1]));
		vec2 moved = (before * vec3(start, 1.0)).xy;
		moved += sin((vec2(at.x + at.z, at.y) / 1024.0 + turbulence.y) * 6.283185307) * turbulence.x;
		baseUv = (after * vec3(moved, 1.0)).xy;
		pageUv = lightUv;
		tint = vertexColor;
		blendWeight = blendAlpha;
		vertexLight = modelLit ? modelLight(turned) : vertexColor.rgb * VERTEX_INTENSITY;
		gl_Position = projectionMatrix * viewMatrix * at;
	}`;

const FRAGMENT = `
	precision highp float;
	precision highp sampler2DArray;
	uniform sampler2D base, second, glow;
	uniform sampler2DArray pages;
	uniform float styles[${LARGEST_STYLES}];
	uniform int styleCount, lighting, show;
	uniform vec3 color, emissive;
	uniform float alpha, cutoff, lightLimit;
	uniform bool hasSecond;
	in vec2 baseUv, pageUv;
	in vec4 tint;
	in vec3 vertexLight;
	in float blendWeight;
	out vec4 result;

	vec3 light() {
		if (show == 1) return vec3(1.0);
		if (lighting == ${C.LIGHTING_FULLBRIGHT}) return vec3(1.0);
		if (lighting == ${C.LIGHTING_BLACK}) return vec3(0.0);
		if (lighting == ${C.LIGHTING_VERTEX}) return vertexLight;
		vec3 sum = vec3(0.0);
		for (int i = 0; i < styleCount; i++) sum += texture(pages, vec3(pageUv, float(i))).rgb * styles[i];
		return lightLimit > 0.0 ? min(sum, vec3(lightLimit)) : sum;
	}

	void main() {
		vec4 texel = vec4(1.0);
		if (SOURCE == ${C.STAGE_IMAGE}) {
			if (show != 2) texel = texture(base, baseUv);
			if (hasSecond && show != 2) texel = mix(texel, texture(second, baseUv), blendWeight);
		} else if (SOURCE == ${C.STAGE_LIGHT} || SOURCE == ${C.STAGE_LIGHTMAP}) {
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
		if (cutoff > 0.0 && texel.a < cutoff || cutoff < 0.0 && texel.a >= -cutoff) discard;
		if (show != 2) texel.rgb += texture(glow, baseUv).rgb * emissive;
		result = texel;
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

// A pass as a material; `shared` are the uniforms that all passes of a view have in common, `facts` the section's and
// the node's.
export function passMaterial(pass, material, facts, shared) {
	const { section, vertexIntensity } = facts;
	const made = new THREE.RawShaderMaterial({
		glslVersion: THREE.GLSL3,
		vertexShader: VERTEX,
		fragmentShader: FRAGMENT,
		defines: {
			SOURCE: pass.source,
			LIT: pass.lit ? 1 : 0,
			VERTEX_COLOR: pass.vertexColor,
			VERTEX_ALPHA: pass.vertexAlpha,
			TERRAIN: pass.terrain ? 1 : 0,
			VERTEX_INTENSITY: vertexIntensity.toFixed(6),
		},
		uniforms: {
			...shared,
			before: { value: new THREE.Matrix3() },
			after: { value: new THREE.Matrix3() },
			turbulence: { value: new THREE.Vector2() },
			tcGen: { value: pass.tcGen },
			vectors: {
				value: (
					pass.vectors ?? [
						[1, 0, 0, 0],
						[0, 1, 0, 0],
					]
				).map((v) => new THREE.Vector4(...v)),
			},
			modelSides: { value: facts.sides },
			modelDirected: { value: facts.directed },
			modelDirection: { value: facts.direction },
			modelLit: { value: facts.modelLit },
			base: { value: WHITE },
			second: { value: WHITE },
			glow: { value: BLACK },
			hasSecond: { value: false },
			pages: { value: facts.pages },
			styles: { value: Array(LARGEST_STYLES).fill(0) },
			styleCount: { value: facts.sets.length },
			lighting: { value: section.lighting },
			color: { value: new THREE.Vector3(1, 1, 1) },
			emissive: { value: new THREE.Vector3(...(pass.emissive ?? [0, 0, 0])) },
			alpha: { value: 1 },
			cutoff: { value: pass.cutoff },
		},
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
	return made;
}

// The uniforms of a pass at a time. texture(image, clamp) gives what there is of an image.
export function movePass(made, pass, node, time, texture) {
	const { uniforms } = made;
	const [base, second = C.NO_INDEX, glow = C.NO_INDEX] = pass.images(time);
	const { before, after, turbulence } = pass.coordinates(time);
	uniforms.base.value = texture(base, pass.clamp) ?? WHITE;
	uniforms.second.value = texture(second, pass.clamp) ?? WHITE;
	uniforms.hasSecond.value = second !== C.NO_INDEX;
	uniforms.glow.value = texture(glow, pass.clamp) ?? BLACK;
	const put = (matrix, [a, b, c, d, e, f]) => matrix.set(a, b, c, d, e, f, 0, 0, 1);
	put(uniforms.before.value, before);
	put(uniforms.after.value, after);
	uniforms.turbulence.value.set(...turbulence);
	uniforms.color.value.set(...pass.color(time, node).slice(0, 3));
	uniforms.alpha.value = pass.alpha(time, node);
}
