// sky.mjs - draws the sky as a box that moves with the eye and is drawn before everything else, like
// native/src/drawing/sky_color.c. The box shows six pictures, Quake's two layers, or Quake III's clouds, and the map's
// fog over them.
import * as THREE from 'three';
import { constants as C } from '../bspscene.mjs';
import { FOG, passOfStage } from './passes.mjs';
import { movePass, passMaterial, WHITE } from './shader.mjs';

// Half the size of the box with the six pictures, in game units. It only has to be beyond the near plane, because
// everything that is drawn later covers it.
const DISTANCE = 100;
// From tr_sky.c: the number of squares along each side of the box, and the radius of the world below the clouds.
const SQUARES = 8;
const RADIUS = 4096;
const SIDES = 6;
const DOWN = 5;
// For each side of the box (right, back, left, front, up, down): what the coordinates x, y and z of a point are. 1
// stands for s, 2 for t, and 3 for the constant 1. A negative number reverses the sign.
const AXES = [
	[3, -1, 2],
	[1, 3, 2],
	[-3, 1, 2],
	[-1, -3, 2],
	[-2, -1, 3],
	[2, -1, -3],
];
const NOBODY = { color: [1, 1, 1], color_alpha: 1 };

// Returns the direction from the center of the box to a point of a side. s and t are from -1 to 1, and t points up.
function wayTo(side, s, t) {
	const values = [s, t, 1];
	return AXES[side].map((axis) => Math.sign(axis) * values[Math.abs(axis) - 1]);
}

// Returns the texture coordinates of clouds in a direction: two angles of the point where the direction leaves the
// sphere of the clouds.
export function cloudUv(way, height) {
	const [, , z] = way;
	const all = way[0] ** 2 + way[1] ** 2 + z ** 2;
	const root = z * z * RADIUS * RADIUS + all * (2 * RADIUS * height + height * height);
	const far = (-z * RADIUS + Math.sqrt(Math.max(root, 0))) / all;
	const at = way.map((value, i) => value * far + (i === 2 ? RADIUS : 0));
	const length = Math.hypot(...at);
	return [0, 1].map((i) => Math.acos(Math.min(Math.max(at[i] / length, -1), 1)));
}

// Returns half the side of the box on which the engine draws clouds. It is the same as bspi_sky_box in sky_color.c.
export function boxSize({ min, max }, eye) {
	const farthest = eye.map((value, i) => Math.max(Math.abs(min[i] - value), Math.abs(max[i] - value)));
	return Math.max(Math.hypot(...farthest) / 1.75, 64);
}

// Makes a grid of squares for each of these sides. Clouds need the grid because their texture coordinates are
// interpolated between its corners. Pictures need small triangles for another reason. If the eye looks exactly along a
// diagonal of the box, some corners of the box are at right angles to the view. Some drivers then divide by 0 and fill
// the triangles at these corners with one color. Small triangles at these corners are out of sight.
function sidesOf(sides, uvOf) {
	const [positions, uvs, indices] = [[], [], []];
	for (const side of sides) {
		const first = positions.length / 3;
		for (let t = 0; t <= SQUARES; t++) {
			for (let s = 0; s <= SQUARES; s++) {
				const way = wayTo(side, (2 * s) / SQUARES - 1, (2 * t) / SQUARES - 1);
				positions.push(...way);
				uvs.push(...uvOf(way, s / SQUARES, 1 - t / SQUARES));
				if (s === SQUARES || t === SQUARES) continue;
				const at = first + t * (SQUARES + 1) + s;
				const above = at + SQUARES + 1;
				indices.push(at, at + 1, above, above + 1, above, at + 1);
			}
		}
	}
	const geometry = new THREE.BufferGeometry();
	geometry.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
	geometry.setAttribute('normal', new THREE.Float32BufferAttribute(positions, 3));
	geometry.setAttribute('uv', new THREE.Float32BufferAttribute(uvs, 2));
	geometry.setIndex(indices);
	return geometry;
}

const BEHIND_ALL = { side: THREE.DoubleSide, depthTest: false, depthWrite: false };

// Shaders for Quake's two layers. They lie on a flattened dome and scroll by 8 and 16 texels a second (gl_warp.c,
// EmitSkyPolys).
const LAYERS_VERTEX = `
	precision highp float;
	uniform mat4 modelMatrix, viewMatrix, projectionMatrix;
	in vec3 position;
	out vec3 way;
	void main() {
		way = position;
		gl_Position = projectionMatrix * viewMatrix * modelMatrix * vec4(position, 1.0);
	}`;
const LAYERS_FRAGMENT = `
	precision highp float;
	uniform sampler2D back, front;
	uniform bool hasBack, hasFront;
	uniform float time;
	in vec3 way;
	out vec4 result;
	void main() {
		vec3 flattened = way * vec3(1.0, 1.0, 3.0);
		vec2 still = flattened.xy * (6.0 * 63.0 / 128.0 / length(flattened));
		vec2 moved = fract(time * vec2(8.0, 16.0) / 128.0);
		vec4 below = texture(back, still + moved.x), above = texture(front, still + moved.y);
		vec3 color = hasBack ? below.rgb : above.rgb;
		float share = hasFront ? above.a : 0.0;
		result = vec4(mix(color, above.rgb, share), hasBack ? 1.0 : share);
	}`;

export class Sky {
	// `world`: the World whose sky it is. `cube`: the result of Scene.sky() if there is a 3D skybox, else null. Its
	// pictures show the 3D skybox too.
	constructor(world, cube) {
		this.world = world;
		this.root = new THREE.Group();
		this.root.renderOrder = -1;
		this.clouds = [];
		this.pictures = [];
		const { data } = world;
		const material = data.materials[data.sky_material];
		if (cube) return this.addCube(cube);
		if (!material?.sky) return;
		const { box, layers, cloud_height: height } = material.sky;
		box.forEach((image, side) => image !== C.NO_INDEX && this.addPicture(image, side));
		if (layers.some((image) => image !== C.NO_INDEX)) this.addLayers(layers);
		if (height > 0) this.addClouds(material, height);
		if (data.map_fog.density > 0) this.addVeil(data.map_fog);
	}

	add(geometry, made, scale = DISTANCE) {
		const object = new THREE.Mesh(geometry, made);
		object.frustumCulled = false;
		object.renderOrder = this.root.children.length;
		object.scale.setScalar(scale);
		this.root.add(object);
		this.world.disposables.push(geometry, made);
		return object;
	}

	addCube({ size, sides }) {
		sides.forEach((rgb, side) => {
			const rgba = new Uint8Array(4 * size * size).fill(255);
			for (let from = 0, to = 0; from < rgb.length; from += 3, to += 4) {
				rgba[to] = rgb[from];
				rgba[to + 1] = rgb[from + 1];
				rgba[to + 2] = rgb[from + 2];
			}
			const map = new THREE.DataTexture(rgba, size, size);
			map.magFilter = map.minFilter = THREE.LinearFilter;
			map.needsUpdate = true;
			const made = new THREE.MeshBasicMaterial({ map, ...BEHIND_ALL });
			this.add(
				sidesOf([side], (_, u, v) => [u, v]),
				made,
			);
			this.world.disposables.push(map);
		});
	}

	// Adds one of the six pictures, which is hidden until it is loaded. If it is half as high as wide (Source), it is
	// the upper half of its side, and its last row is repeated below.
	addPicture(image, side) {
		const geometry = sidesOf([side], (_, u, v) => [u, v]);
		const object = this.add(geometry, new THREE.MeshBasicMaterial({ transparent: true, ...BEHIND_ALL }));
		object.material.blending = THREE.NoBlending;
		object.visible = false;
		this.pictures.push({ object, image });
	}

	showPictures() {
		for (const { object, image } of this.pictures) {
			const map = this.world.texture(image, true);
			if (object.visible || !map) continue;
			const { width, height } = map.image;
			const { uv } = object.geometry.attributes;
			if (width > height) for (let i = 0; i < uv.count; i++) uv.setY(i, (uv.getY(i) * width) / height);
			object.material.map = map;
			object.visible = true;
		}
	}

	addLayers(layers) {
		const [back, front] = layers;
		const uniforms = {
			back: { value: WHITE },
			front: { value: WHITE },
			hasBack: { value: back !== C.NO_INDEX },
			hasFront: { value: front !== C.NO_INDEX },
			time: { value: 0 },
		};
		const made = new THREE.RawShaderMaterial({
			glslVersion: THREE.GLSL3,
			vertexShader: LAYERS_VERTEX,
			fragmentShader: LAYERS_FRAGMENT,
			transparent: true,
			uniforms,
			...BEHIND_ALL,
		});
		const object = this.add(
			sidesOf([...Array(SIDES).keys()], () => [0, 0]),
			made,
		);
		this.layers = { object, images: layers, uniforms };
	}

	showLayers(time) {
		const { object, images, uniforms } = this.layers;
		const [back, front] = images.map((image) => this.world.texture(image, false));
		object.visible = images.every((image, i) => image === C.NO_INDEX || [back, front][i]);
		uniforms.back.value = back ?? WHITE;
		uniforms.front.value = front ?? WHITE;
		uniforms.time.value = time;
	}

	// Adds clouds, one object for each stage of the material. As in the engine, the clouds are on all sides of the box
	// except the floor.
	addClouds(material, height) {
		const { data, shared } = this.world;
		const section = { lighting: C.LIGHTING_FULLBRIGHT, fog: C.NO_INDEX, lightmap_page: C.NO_INDEX };
		const facts = this.world.factsOf({ prop: C.NO_INDEX }, -1, {}, section);
		const geometry = sidesOf([...Array(DOWN).keys()], (way) => cloudUv(way, height));
		const { first_pass: first, pass_count: count } = material;
		for (const stage of data.material_passes.slice(first, first + count)) {
			const pass = { ...passOfStage(data, stage), ...CLOUD };
			if (stage.input !== C.PASS_INPUT_IMAGE) pass.images = () => [C.NO_INDEX];
			const made = passMaterial(pass, { ...material, cull: C.CULL_NONE, deform_count: 0 }, facts, shared);
			made.depthTest = false;
			this.clouds.push({ object: this.add(geometry, made), made, pass });
		}
	}

	addVeil({ color, sky }) {
		const made = new THREE.MeshBasicMaterial({
			color: new THREE.Color().setRGB(...color, THREE.LinearSRGBColorSpace),
			opacity: sky,
			transparent: true,
			...BEHIND_ALL,
		});
		this.add(
			sidesOf([...Array(SIDES).keys()], () => [0, 0]),
			made,
		);
	}

	// Moves the sky to the camera and updates it for a time in seconds.
	move(time, { position }) {
		this.root.position.copy(position);
		this.showPictures();
		if (this.layers) this.showLayers(time);
		const size = boxSize(this.world.data.bounds, position.toArray());
		const texture = (image, clamp) => this.world.texture(image, clamp);
		for (const { object, made, pass } of this.clouds) {
			object.scale.setScalar(size);
			movePass(made, pass, NOBODY, time, texture, 0);
			const [image] = pass.images(time);
			object.visible = image === C.NO_INDEX || made.uniforms.base.value !== WHITE;
		}
	}
}

// Values of a pass that draws clouds. They replace those of its stage. Of the stage, only the picture, texture
// coordinates, color and blend mode are used.
const CLOUD = {
	input: C.PASS_INPUT_IMAGE,
	tcGen: C.TC_GEN_TEXTURE,
	box: null,
	viewAlpha: 0,
	vertexColor: 0,
	vertexAlpha: 0,
	terrain: false,
	lit: false,
	cutoff: 0,
	depthWrite: false,
	depthEqual: false,
	fog: FOG.NONE,
	haze: FOG.NONE,
};
