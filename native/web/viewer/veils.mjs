// veils.mjs - parts of the shader: fog, as in native/render/shade/fog.c, and effects of simple materials, as in
// detail.c and layers.c there. The effects mix colors in linear light and return display values.
import { constants as C } from '../bspscene.mjs';
import { FOG } from './passes.mjs';

const FOG_UNIFORMS = `
	uniform vec4 fogPlane;
	uniform float fogDepth, hazeDensity, hazePower, hazeOpacity, hazeStart, hazeEnd;
	uniform vec3 fogColor, hazeColor;
	uniform bool hazeAlong, fogLinear;`;

// Computes for each vertex its coordinates in the engine's fog table (tr_shade_calc.c, RB_CalcFogTexCoords).
export const VERTEX_FOG = `
	${FOG_UNIFORMS}
	out vec2 fogAt;
	out float alongView;
	void findFog(vec3 at) {
		vec3 forward = -vec3(viewMatrix[0][2], viewMatrix[1][2], viewMatrix[2][2]);
		alongView = dot(at - cameraPosition, forward);
		fogAt = vec2(0.0);
		if (VOLUME_FOG == 0) return;
		bool surface = dot(fogPlane.xyz, fogPlane.xyz) > 0.0;
		float eye = surface ? fogPlane.w - dot(fogPlane.xyz, cameraPosition) : 1.0;
		float point = surface ? fogPlane.w - dot(fogPlane.xyz, at) : 1.0;
		if (fogLinear) {
			fogAt = vec2(alongView / fogDepth, surface ? (point + max(eye, 0.0)) / fogDepth : 1.0);
			return;
		}
		fogAt.x = alongView / (fogDepth * 8.0) + 1.0 / 512.0;
		if (eye < 0.0) fogAt.y = point < 1.0 ? 1.0 / 32.0 : 1.0 / 32.0 + 30.0 / 32.0 * point / (point - eye);
		else fogAt.y = point < 0.0 ? 1.0 / 32.0 : 31.0 / 32.0;
	}`;

export const FRAGMENT_FOG = `
	${FOG_UNIFORMS}
	in vec2 fogAt;
	in float alongView;

	// Enemy Territory's table of 16 x 16 texels (tr_image.c, R_CreateFogImage).
	float fogTexel(vec2 at) {
		if (at.x < 1.0 || at.x > 14.0) return at.x < 1.0 ? 0.0 : 1.0;
		return min(floor(270.0 * at.x * at.y / 256.0), 255.0) / 255.0;
	}

	float linearShare() {
		vec2 place = clamp(fogAt * 16.0 - 0.5, 0.0, 15.0), low = floor(place), high = min(low + 1.0, 15.0);
		vec2 share = place - low;
		return mix(
			mix(fogTexel(low), fogTexel(vec2(high.x, low.y)), share.x),
			mix(fogTexel(vec2(low.x, high.y)), fogTexel(high), share.x),
			share.y
		);
	}

	float volumeShare() {
		if (VOLUME_FOG != 0 && fogLinear) return linearShare();
		float s = fogAt.x - 1.0 / 512.0;
		if (VOLUME_FOG == 0 || s < 0.0 || fogAt.y < 1.0 / 32.0) return 0.0;
		if (fogAt.y < 31.0 / 32.0) s *= (fogAt.y - 1.0 / 32.0) / (30.0 / 32.0);
		return sqrt(min(s * 8.0, 1.0));
	}

	float hazeShare() {
		if (MAP_FOG == 0) return 0.0;
		float far = hazeAlong ? alongView : distance(worldAt, cameraPosition);
		float depth = hazeDensity * max(min(far, hazeEnd) - hazeStart, 0.0);
		return hazeOpacity * (1.0 - exp(-pow(depth, hazePower)));
	}

	// Combines both kinds of fog into one color and opacity.
	vec4 veil() {
		float volume = volumeShare(), haze = hazeShare();
		return vec4(fogColor * volume * (1.0 - haze) + hazeColor * haze, 1.0 - (1.0 - volume) * (1.0 - haze));
	}

	vec4 fogged(vec4 texel) {
		if (VOLUME_FOG == 0 && MAP_FOG == 0) return texel;
		float volume = volumeShare(), haze = hazeShare();
		if (VOLUME_FOG == ${FOG.OVER}) texel.rgb = mix(clamp(texel.rgb, 0.0, 1.0), fogColor, volume);
		if (VOLUME_FOG == ${FOG.LESS_COLOR} || VOLUME_FOG == ${FOG.LESS_BOTH}) texel.rgb *= 1.0 - volume;
		if (VOLUME_FOG == ${FOG.LESS_ALPHA} || VOLUME_FOG == ${FOG.LESS_BOTH}) texel.a *= 1.0 - volume;
		if (MAP_FOG == ${FOG.OVER}) texel.rgb = mix(clamp(texel.rgb, 0.0, 1.0), hazeColor, haze);
		if (MAP_FOG == ${FOG.LESS_COLOR}) texel.rgb *= 1.0 - haze;
		return texel;
	}`;

export const FRAGMENT_LAYERS = `
	uniform sampler2D maskImage, detailImage, layer0, layer1, layer2, layer3;
	uniform mat3 maskPlace, detailPlace;
	uniform vec3 detailColor;
	uniform float detailFactor;
	uniform vec2 layerScale[4], layerShares[4];
	uniform vec4 layerRanges[4];

	vec3 toLinear(vec3 value) { return pow(max(value, 0.0), vec3(2.2)); }
	vec3 toDisplay(vec3 value) { return pow(max(value, 0.0), vec3(1.0 / 2.2)); }

	float rise(vec2 range, float x) {
		if (!(range.y > range.x)) return x >= range.y ? 1.0 : 0.0;
		float t = clamp((x - range.x) / (range.y - range.x), 0.0, 1.0);
		return t * t * (3.0 - 2.0 * t);
	}

	vec3 covered(vec3 below, vec3 above, float amount) {
		return toDisplay(mix(toLinear(below), toLinear(above), amount));
	}

	vec3 shining(vec3 below, vec3 light) {
		return mix(below, toDisplay(toLinear(below) + toLinear(light)), vec3(greaterThan(light, vec3(0.0))));
	}

	// Returns the weight of the second image.
	float borderWeight() {
		if (MASK == 0) return blendWeight;
		vec4 mask = texture(maskImage, (maskPlace * vec3(meshUv, 1.0)).xy);
		vec2 range = vec2(mask.g - mask.r, mask.g + mask.r);
		if (MASK == 2) return rise(range, 0.5);
		return rise(vec2(max(range.x, 0.0), min(range.y, 1.0)), blendWeight);
	}

	vec4 detailed(vec4 texel) {
		vec4 d = texture(detailImage, (detailPlace * vec3(meshUv, 1.0)).xy);
		vec3 c = toLinear(texel.rgb);
		float b = texel.a, f = detailFactor;
		d.rgb = (DETAIL == ${C.DETAIL_TEXTURE_ADD} ? toLinear(d.rgb) : d.rgb) * detailColor;
		if (DETAIL == ${C.DETAIL_TEXTURE_DOUBLED}) c *= mix(vec3(1.0), 2.0 * d.rgb, f);
		if (DETAIL == ${C.DETAIL_TEXTURE_ADD}) c += f * d.rgb;
		if (DETAIL == ${C.DETAIL_TEXTURE_OVER}) c = mix(c, d.rgb, f * d.a);
		if (DETAIL == ${C.DETAIL_TEXTURE_FADE}) c = mix(c, d.rgb, f);
		if (DETAIL == ${C.DETAIL_TEXTURE_UNDER}) c = mix(c, d.rgb, f * (1.0 - b));
		if (DETAIL == ${C.DETAIL_TEXTURE_PATTERNS}) c *= mix(1.0, 2.0 * mix(d.r, d.a, b), f);
		if (DETAIL == ${C.DETAIL_TEXTURE_MULTIPLY}) c *= mix(vec3(1.0), d.rgb, f);
		if (DETAIL == ${C.DETAIL_TEXTURE_SELF_SHADOWED}) c *= (d.r + d.g + d.b) * 2.0 / 3.0;
		if (DETAIL == ${C.DETAIL_TEXTURE_FADE}) b = mix(b, d.a, f);
		if (DETAIL == ${C.DETAIL_TEXTURE_UNDER}) b = d.a;
		if (DETAIL == ${C.DETAIL_TEXTURE_MULTIPLY} || DETAIL == ${C.DETAIL_TEXTURE_MASK}) b *= mix(1.0, d.a, f);
		return vec4(toDisplay(c), b);
	}

	float luminanceOf(vec3 value) { return dot(value, vec3(0.2126, 0.7152, 0.0722)); }

	// Blends layer i over sum. bright is the luminance of the layers so far.
	void lay(int i, vec4 texel, inout vec3 sum, inout float bright) {
		vec3 c = toLinear(texel.rgb);
		float own = rise(layerRanges[i].zw, luminanceOf(c)), share = layerShares[i].x;
		float amount = rise(layerRanges[i].xy, weights[i] * (1.0 + (1.0 - bright) * (1.0 - share) + own * share));
		sum += ((layerShares[i].y > 0.5 ? 2.0 * sum * c : c) - sum) * amount;
		bright += (own - bright) * amount;
	}

	vec4 layered(vec2 uv) {
		vec4 lowest = texture(layer0, uv * layerScale[0]);
		vec3 sum = toLinear(lowest.rgb);
		float bright = rise(layerRanges[0].zw, luminanceOf(sum));
		if (LAYERS > 1) lay(1, texture(layer1, uv * layerScale[1]), sum, bright);
		if (LAYERS > 2) lay(2, texture(layer2, uv * layerScale[2]), sum, bright);
		if (LAYERS > 3) lay(3, texture(layer3, uv * layerScale[3]), sum, bright);
		return vec4(min(toDisplay(sum), 1.0), lowest.a);
	}`;
