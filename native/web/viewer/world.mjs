// world.mjs - a loaded scene as objects of three.js, in the game's own space (Z up, game units).
import * as THREE from 'three';
import { constants as C } from '../bspscene.mjs';
import { axesAt, Deforming } from './deforms.mjs';
import { passesOf } from './passes.mjs';
import { LARGEST_STYLES, movePass, passMaterial, showBox } from './shader.mjs';
import { styleAt } from './waves.mjs';

const SIDES = 6;
// Beyond the near plane; what is drawn later covers it whatever its distance.
const SKY_DISTANCE = 100;
const SKY_CELLS = 4;

export class World {
	// `light`: for each node with a prop what lights it there (Scene.lightAt), or null. `faces`: the scene's part of
	// that name, where a material deforms.
	constructor(scene, sky, light, faces) {
		this.scene = scene;
		this.data = scene.data;
		this.light = light;
		this.faces = faces;
		this.deforming = [];
		this.root = new THREE.Group();
		this.root.matrixAutoUpdate = false;
		this.shared = { lightLimit: { value: this.data.light_limit }, show: { value: 0 } };
		this.switches = new Map(this.data.light_styles.map(({ style, start }) => [style, start]));
		this.passes = [];
		this.textures = new Map();
		this.pageTextures = new Map();
		this.disposables = [];
		this.places = worldTransforms(this.data.nodes);
		this.geometry = this.data.meshes.map((mesh) => attributesOf(mesh));
		this.data.nodes.forEach((node, number) => this.addNode(node, number));
		if (sky) this.addSky(sky);
		this.root.updateMatrixWorld(true);
	}

	// Which of its nodes is shown: what the game shows when the map starts, without the 3D skybox, which the sky has.
	addNode(node, number) {
		if (node.mesh === C.NO_INDEX || node.kind === C.NODE_SKY) return;
		const mesh = this.data.meshes[node.mesh];
		const group = new THREE.Group();
		group.matrixAutoUpdate = false;
		group.matrix.copy(this.places[number]);
		group.visible = !node.hidden;
		group.userData = { node: number };
		for (const section of mesh.sections) this.addSection(group, node, number, mesh, section);
		this.root.add(group);
	}

	addSection(group, node, number, mesh, section) {
		const material = this.data.materials[section.material];
		if (!section.index_count) return;
		if (material.kind === C.MATERIAL_SKY) return this.addSkySurface(group, node, mesh, section);
		const passes = passesOf(this.data, material, section);
		const facts = this.factsOf(node, number, mesh, section);
		const attributes = facts.colors
			? { ...this.geometry[node.mesh], vertexColor: facts.colors }
			: this.geometry[node.mesh];
		const deformed = material.deform_count ? this.addDeforming(attributes, number, mesh, section, material) : null;
		passes.forEach((pass, i) => {
			const geometry = deformed ?? geometryOf(attributes);
			if (!deformed) {
				geometry.setDrawRange(section.first_index, section.index_count);
				geometry.boundingSphere = boundsOf(mesh, section);
			}
			const made = passMaterial(pass, material, facts, this.shared);
			const object = new THREE.Mesh(geometry, made);
			object.matrixAutoUpdate = false;
			object.frustumCulled = !deformed;
			// Opaque surfaces first; the passes of one stay in order.
			object.renderOrder = Math.max(material.sort, 0) * 16 + Math.min(i, 15) + (pass.depthWrite || i ? 0 : 0.5);
			object.userData = { node: number, section, material: section.material, pass: i };
			group.add(object);
			this.passes.push({ made, pass, node, facts });
			this.disposables.push(geometry, made);
		});
	}

	// The sky's own surfaces show the box behind them, and hide what lies beyond.
	addSkySurface(group, node, mesh, section) {
		const geometry = geometryOf(this.geometry[node.mesh]);
		geometry.setDrawRange(section.first_index, section.index_count);
		geometry.boundingSphere = boundsOf(mesh, section);
		const made = new THREE.MeshBasicMaterial({ colorWrite: false });
		const object = new THREE.Mesh(geometry, made);
		object.matrixAutoUpdate = false;
		object.renderOrder = -0.5;
		object.userData = { section, material: section.material, pass: -1 };
		group.add(object);
		this.disposables.push(geometry, made);
	}

	// A geometry of the section's own, made anew for each picture.
	addDeforming(attributes, number, mesh, section, material) {
		const arrays = Object.fromEntries(
			Object.entries(attributes).map(([name, attribute]) => [name, attribute.array]),
		);
		const faces = this.faces.slice(section.first_face, section.first_face + section.face_count);
		const deforming = new Deforming(arrays, mesh.indices, section, faces, material.deforms);
		const own = { index: new THREE.BufferAttribute(deforming.liveIndices, 1) };
		for (const [name, array] of Object.entries(deforming.live)) {
			const { itemSize, normalized } = attributes[name];
			own[name] = new THREE.BufferAttribute(array, itemSize, normalized);
		}
		const geometry = geometryOf(own);
		this.deforming.push({ deforming, geometry, place: this.places[number].elements });
		return geometry;
	}

	factsOf(node, number, mesh, section) {
		const light = this.light.get(number);
		const vectors = (light?.sides ?? Array(SIDES).fill([0, 0, 0])).map((side) => new THREE.Vector3(...side));
		const stored = node.prop === C.NO_INDEX ? null : this.data.props[node.prop].colors;
		const set = this.data.page_sets[0];
		const page = this.pageOf(section.lightmap_page);
		return {
			section,
			place: this.places[number],
			hasWeights: Boolean(mesh.blend_weights),
			fog: this.fogOf(section),
			vertexIntensity: set?.intensity ?? 1,
			colors: stored ? new THREE.BufferAttribute(stored, 4, true) : null,
			modelLit: Boolean(light) && !stored,
			sides: vectors,
			directed: new THREE.Vector3(...(light?.directed ?? [0, 0, 0])),
			direction: new THREE.Vector3(...(light?.direction ?? [0, 0, 1])),
			pages: page.texture,
			sets: page.sets,
		};
	}

	fogOf(section) {
		const { fogs, materials, map_fog: haze } = this.data;
		const fog = fogs[section.fog];
		const parms = materials[fog?.material]?.fog;
		return {
			fogPlane: { value: new THREE.Vector4(...(fog?.plane ?? [0, 0, 0, 0])) },
			fogDepth: { value: parms?.depth ?? 1 },
			fogColor: { value: new THREE.Vector3(...(parms?.color ?? [0, 0, 0])) },
			hazeDensity: { value: haze.density },
			hazePower: { value: haze.power },
			hazeOpacity: { value: haze.opacity },
			hazeStart: { value: haze.start },
			hazeEnd: { value: Math.min(haze.end, 1e9) },
			hazeColor: { value: new THREE.Vector3(...haze.color) },
			hazeAlong: { value: haze.along_view },
		};
	}

	// A page's light of all styles as layers of one texture.
	pageOf(number) {
		const key = number === C.NO_INDEX || !this.data.page_count ? -1 : number;
		let found = this.pageTextures.get(key);
		if (found) return found;
		const sets =
			key < 0
				? []
				: this.data.page_sets
						.filter(({ kind, pages }) => kind === C.PAGES_LIGHT && pages[key].data)
						.slice(0, LARGEST_STYLES);
		const { width, height } = sets[0]?.pages[key] ?? { width: 1, height: 1 };
		const texels = new Uint8Array(4 * width * height * Math.max(sets.length, 1)).fill(255);
		sets.forEach(({ pages }, layer) => {
			const { data } = pages[key];
			for (let from = 0, to = 4 * width * height * layer; from < data.length; from += 3, to += 4) {
				texels[to] = data[from];
				texels[to + 1] = data[from + 1];
				texels[to + 2] = data[from + 2];
			}
		});
		const texture = new THREE.DataArrayTexture(texels, width, height, Math.max(sets.length, 1));
		texture.minFilter = texture.magFilter = THREE.LinearFilter;
		texture.needsUpdate = true;
		this.disposables.push(texture);
		found = { texture, sets };
		this.pageTextures.set(key, found);
		return found;
	}

	// The texture of an image; its pixels are asked for when it is first shown.
	texture(image, clamp) {
		if (image === C.NO_INDEX) return null;
		const key = clamp ? -1 - image : image;
		if (!this.textures.has(key)) {
			this.textures.set(key, null);
			this.waiting = (this.waiting ?? 0) + 1;
			this.scene
				.pixels(image, 2048)
				.then((pixels) => this.textures.set(key, this.textureOf(pixels, clamp)))
				.catch(() => {})
				.finally(() => {
					this.waiting--;
				});
		}
		return this.textures.get(key);
	}

	textureOf({ width, height, data }, clamp) {
		const texture = new THREE.DataTexture(data, width, height);
		texture.wrapS = texture.wrapT = clamp ? THREE.ClampToEdgeWrapping : THREE.RepeatWrapping;
		texture.magFilter = THREE.LinearFilter;
		texture.minFilter = THREE.LinearMipmapLinearFilter;
		texture.generateMipmaps = true;
		texture.needsUpdate = true;
		this.disposables.push(texture);
		return texture;
	}

	// Six images of a box as layers of one texture; null until all are there, or when they differ in size.
	boxTexture(images) {
		const key = images.join();
		if (this.textures.has(key) || images.includes(C.NO_INDEX)) return this.textures.get(key) ?? null;
		this.textures.set(key, null);
		this.waiting = (this.waiting ?? 0) + 1;
		Promise.all(images.map((image) => this.scene.pixels(image, 1024)))
			.then((sides) => {
				const { width, height } = sides[0];
				if (sides.some((side) => side.width !== width || side.height !== height)) return;
				const texels = new Uint8Array(4 * width * height * SIDES);
				sides.forEach(({ data }, layer) => texels.set(data, 4 * width * height * layer));
				const texture = new THREE.DataArrayTexture(texels, width, height, SIDES);
				texture.magFilter = THREE.LinearFilter;
				texture.minFilter = THREE.LinearMipmapLinearFilter;
				texture.generateMipmaps = true;
				texture.needsUpdate = true;
				this.disposables.push(texture);
				this.textures.set(key, texture);
			})
			.catch(() => {})
			.finally(() => {
				this.waiting--;
			});
		return null;
	}

	// A box of the sky's six pictures that is drawn before all else and goes with the eye.
	addSky({ size, sides, corners }) {
		this.sky = new THREE.Group();
		this.sky.renderOrder = -1;
		const { density, color, sky: share } = this.data.map_fog;
		const veiled = (value, i) => (density > 0 ? value + (color[i % 3] * 255 - value) * share : value);
		sides.forEach((rgb, side) => {
			const rgba = new Uint8Array(4 * size * size).fill(255);
			for (let i = 0; i < size * size; i++) rgba.set(rgb.subarray(3 * i, 3 * i + 3).map(veiled), 4 * i);
			const texture = new THREE.DataTexture(rgba, size, size);
			texture.magFilter = texture.minFilter = THREE.LinearFilter;
			texture.needsUpdate = true;
			const geometry = skySide(corners[side]);
			const made = new THREE.MeshBasicMaterial({
				map: texture,
				side: THREE.DoubleSide,
				depthTest: false,
				depthWrite: false,
			});
			const object = new THREE.Mesh(geometry, made);
			object.frustumCulled = false;
			object.renderOrder = -1;
			this.sky.add(object);
			this.disposables.push(texture, geometry, made);
		});
		this.root.add(this.sky);
	}

	// Everything as it is at a time, in seconds, seen by a camera.
	move(time, camera) {
		const eye = camera.position;
		const texture = (image, clamp) => this.texture(image, clamp);
		const stands = new THREE.Vector3();
		for (const { made, pass, node, facts } of this.passes) {
			movePass(made, pass, node, time, texture, stands.setFromMatrixPosition(facts.place).distanceToSquared(eye));
			if (pass.box) showBox(made, this.boxTexture(pass.box));
			facts.sets.forEach(({ style, intensity }, layer) => {
				const isShown = pass.style === undefined || pass.style === style;
				made.uniforms.styles.value[layer] = isShown ? intensity * this.brightness(style, time) : 0;
			});
		}
		this.deform(time, camera);
		this.sky?.position.copy(eye);
	}

	deform(time, camera) {
		if (!this.deforming.length) return;
		camera.updateMatrixWorld();
		const axis = (column) => new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, column).toArray();
		const back = (direction) => direction.map((value) => -value);
		const view = { left: back(axis(0)), up: axis(1), forward: back(axis(2)), eye: camera.position.toArray() };
		for (const { deforming, geometry, place } of this.deforming) {
			deforming.update(time, axesAt(place, view));
			geometry.index.needsUpdate = true;
			for (const attribute of Object.values(geometry.attributes)) attribute.needsUpdate = true;
		}
	}

	brightness(number, time) {
		const style = this.data.light_styles.find((one) => one.style === number);
		const on = this.switches.get(number) ?? 1;
		return style ? on * (this.animated ? styleAt({ ...style, start: 1 }, time) : 1) : 1;
	}

	dispose() {
		this.disposables.forEach((one) => one.dispose());
	}
}

function worldTransforms(nodes) {
	const matrices = [];
	for (const { transform: t, parent } of nodes) {
		const matrix = new THREE.Matrix4().set(...t, 0, 0, 0, 1);
		matrices.push(parent === C.NO_INDEX ? matrix : matrix.premultiply(matrices[parent]));
	}
	return matrices;
}

// A side as a grid: who looks straight along a diagonal has corners of the box at right angles, of which drivers that
// divide by 0 there make triangles of one colour. Those must be small enough to be out of sight.
function skySide([topLeft, topRight, bottomLeft, bottomRight]) {
	const [positions, uvs, indices] = [[], [], []];
	const between = (a, b, part) => a.map((value, i) => value + (b[i] - value) * part);
	for (let row = 0; row <= SKY_CELLS; row++) {
		for (let column = 0; column <= SKY_CELLS; column++) {
			const [u, v] = [column / SKY_CELLS, row / SKY_CELLS];
			const way = between(between(topLeft, topRight, u), between(bottomLeft, bottomRight, u), v);
			positions.push(...way.map((value) => value * SKY_DISTANCE));
			uvs.push(u, v);
			if (row === SKY_CELLS || column === SKY_CELLS) continue;
			const at = row * (SKY_CELLS + 1) + column;
			const below = at + SKY_CELLS + 1;
			indices.push(at, at + 1, below, below, at + 1, below + 1);
		}
	}
	const geometry = new THREE.BufferGeometry();
	geometry.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
	geometry.setAttribute('uv', new THREE.Float32BufferAttribute(uvs, 2));
	geometry.setIndex(indices);
	return geometry;
}

function geometryOf(attributes) {
	const geometry = new THREE.BufferGeometry();
	for (const [name, attribute] of Object.entries(attributes)) {
		if (name === 'index') geometry.setIndex(attribute);
		else geometry.setAttribute(name, attribute);
	}
	return geometry;
}

function attributesOf(mesh) {
	const zeros = (size) => new Float32Array(size * mesh.vertex_count);
	const white = () => new Uint8Array(4 * mesh.vertex_count).fill(255);
	const colors = mesh.colors ?? white();
	const blend =
		mesh.blend_alphas ?? Float32Array.from({ length: mesh.vertex_count }, (_, i) => colors[4 * i + 3] / 255);
	return {
		position: new THREE.BufferAttribute(mesh.positions, 3),
		normal: new THREE.BufferAttribute(mesh.normals, 3),
		uv: new THREE.BufferAttribute(mesh.uvs, 2),
		lightUv: new THREE.BufferAttribute(mesh.lightmap_uvs ?? zeros(2), 2),
		vertexColor: new THREE.BufferAttribute(colors, 4, true),
		blendAlpha: new THREE.BufferAttribute(blend, 1),
		...(mesh.blend_weights && { blendWeights: new THREE.BufferAttribute(mesh.blend_weights, 4) }),
		index: new THREE.BufferAttribute(
			mesh.vertex_count > 65535 ? mesh.indices : Uint16Array.from(mesh.indices),
			1,
		),
	};
}

function boundsOf(mesh, section) {
	const box = new THREE.Box3();
	const at = new THREE.Vector3();
	for (let v = section.first_vertex; v < section.first_vertex + section.vertex_count; v++) {
		box.expandByPoint(at.fromArray(mesh.positions, 3 * v));
	}
	return box.getBoundingSphere(new THREE.Sphere());
}
