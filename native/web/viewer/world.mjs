// world.mjs - a loaded scene as objects of three.js, in the game's own space (Z up, game units).
import * as THREE from 'three';
import { constants as C } from '../bspscene.mjs';
import { Crowd, crowdsOf } from './crowds.mjs';
import { axesAt, Deforming } from './deforms.mjs';
import { attributeOf, Geometry, geometryOf } from './geometry.mjs';
import { passesOf } from './passes.mjs';
import { LARGEST_STYLES, movePass, passMaterial, showBox } from './shader.mjs';
import { Sky } from './sky.mjs';
import { Visibility } from './visible.mjs';
import { styleAt } from './waves.mjs';

const SIDES = 6;

export class World {
	// `cube`: Scene.sky() of maps with a 3D skybox, else null. `light`: the light on each node with a prop
	// (Scene.lightAt), or null. `faces`: the scene's faces, which are needed if a material deforms.
	constructor(scene, cube, light, faces) {
		this.scene = scene;
		this.data = scene.data;
		this.light = light;
		this.faces = faces;
		this.deforming = [];
		this.root = new THREE.Group();
		this.root.matrixAutoUpdate = false;
		this.shared = { lightLimit: { value: this.data.light_clamp }, show: { value: 0 } };
		this.switches = new Map(this.data.light_styles.map(({ style, start }) => [style, start]));
		this.passes = [];
		this.skySurfaces = [];
		this.textures = new Map();
		this.pageTextures = new Map();
		this.disposables = [];
		this.waiting = 0;
		this.isOld = true;
		this.unseen = [];
		this.places = worldTransforms(this.data.nodes);
		this.geometries = new Map();
		this.groups = new Map();
		this.drawn = [];
		this.culls = true;
		// The position from which visibility is computed in place of the eye's (Visibility.placeOf), or null.
		this.sightFrom = null;
		this.data.nodes.forEach((node, number) => this.addNode(node, number));
		this.gatherCrowds();
		this.items = this.data.props.filter(
			(prop) =>
				(prop.turn_degrees_per_second || prop.bob_height) &&
				prop.entity !== C.NO_INDEX &&
				this.groups.has(prop.node),
		);
		this.sky = new Sky(this, cube);
		this.root.add(this.sky.root);
		this.root.updateMatrixWorld(true);
	}

	// Adds the mesh of a node. It is visible if the game shows it when the map starts. Nodes of the 3D skybox are left
	// out, because the sky's pictures contain them.
	addNode(node, number) {
		if (node.mesh === C.NO_INDEX || node.kind === C.NODE_SKY) return;
		const mesh = this.data.meshes[node.mesh];
		const group = new THREE.Group();
		group.matrixAutoUpdate = false;
		group.matrix.copy(this.places[number]);
		group.visible = !node.hidden;
		group.userData = { node: number };
		for (const section of mesh.sections) this.addSection(group, node, number, mesh, section);
		this.groups.set(number, group);
		this.root.add(group);
	}

	geometryOf(number) {
		if (!this.geometries.has(number)) this.geometries.set(number, new Geometry(this.data.meshes[number]));
		return this.geometries.get(number);
	}

	addSection(group, node, number, mesh, section) {
		const material = this.data.materials[section.material];
		if (!section.index_count) return;
		if (material.kind === C.MATERIAL_SKY) return this.addSkySurface(group, node, number, mesh, section);
		const passes = passesOf(this.data, material, section);
		const facts = this.factsOf(node, number, mesh, section);
		const deformed = material.deform_count > 0;
		const own = this.geometryOf(node.mesh);
		const geometry = deformed
			? this.addDeforming(own, facts.colors, number, mesh, section, material)
			: own.draw(section, facts.colors);
		const objects = passes.map((pass, i) => {
			const object = this.makeObject({ geometry, node, facts, section }, pass, i);
			object.frustumCulled = !deformed;
			object.userData = { node: number, section, material: section.material, pass: i };
			group.add(object);
			return object;
		});
		this.disposables.push(geometry);
		this.drawn.push({ number, node, mesh, section, geometry, objects, passes, facts, isWhole: deformed });
	}

	// Makes the object that draws one pass of a section.
	makeObject({ geometry, node, facts, section }, pass, i) {
		const material = this.data.materials[section.material];
		const made = passMaterial(pass, material, facts, this.shared);
		const object = new THREE.Mesh(geometry, made);
		object.matrixAutoUpdate = false;
		// Surfaces are drawn in the material's sort order, at equal order opaque ones first. The passes of one surface
		// stay in order.
		object.renderOrder = Math.max(material.sort, 0) * 16 + Math.min(i, 15) + (pass.depthWrite || i ? 0 : 0.5);
		object.onBeforeRender = () => this.movePass(made, pass, node, facts);
		this.passes.push({ made, pass });
		this.unseen.push(object.onBeforeRender);
		this.disposables.push(made);
		return object;
	}

	// Replaces models that occur several times by crowds, which draw all instances at once (crowds.mjs).
	gatherCrowds() {
		this.crowds = crowdsOf(this.drawn).map((members) => {
			const [first] = members;
			const crowd = new Crowd(
				members,
				(number) => this.groups.get(number),
				(geometry, pass, i) =>
					this.makeObject({ ...first, geometry, facts: { ...first.facts, isCrowd: true } }, pass, i),
			);
			for (const object of crowd.objects) {
				object.frustumCulled = false;
				this.root.add(object);
			}
			this.disposables.push(crowd.geometry);
			return crowd;
		});
	}

	// Surfaces of the sky draw no color, so that the sky's box shows through, but they hide what is behind them.
	addSkySurface(group, node, number, mesh, section) {
		const geometry = this.geometryOf(node.mesh).draw(section);
		const made = new THREE.MeshBasicMaterial({ colorWrite: false });
		this.skySurfaces.push(made);
		const object = new THREE.Mesh(geometry, made);
		object.matrixAutoUpdate = false;
		object.renderOrder = -0.5;
		object.userData = { section, material: section.material, pass: -1 };
		group.add(object);
		this.drawn.push({ number, node, mesh, section, geometry, objects: [object], isWhole: false });
		this.disposables.push(geometry, made);
	}

	// Makes a geometry for this section alone. Its vertices are computed anew for each picture.
	addDeforming({ arrays: shared }, colors, number, mesh, section, material) {
		const arrays = colors ? { ...shared, vertexColor: colors } : shared;
		const faces = this.faces.slice(section.first_face, section.first_face + section.face_count);
		const deforming = new Deforming(arrays, mesh.indices, section, faces, material.deforms);
		const own = { index: new THREE.BufferAttribute(deforming.liveIndices, 1) };
		for (const [name, array] of Object.entries(deforming.live)) own[name] = attributeOf(name, array);
		const geometry = geometryOf(own);
		this.deforming.push({ deforming, geometry, place: this.places[number].elements });
		return geometry;
	}

	factsOf(node, number, mesh, section) {
		const light = this.light.get(number);
		const vectors = (light?.sides ?? Array(SIDES).fill([0, 0, 0])).map((side) => new THREE.Vector3(...side));
		const stored = node.prop === C.NO_INDEX ? null : this.data.props[node.prop].colors;
		const set = this.data.lightmap_sets[0];
		const page = this.pageOf(section.lightmap_page);
		return {
			section,
			place: this.places[number],
			hasWeights: Boolean(mesh.blend_weights),
			fog: this.fogOf(section),
			vertexIntensity: set?.intensity ?? 1,
			colors: stored,
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
			fogLinear: { value: parms?.is_linear ?? false },
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

	// Makes one texture of a page's light, with a layer for each style.
	pageOf(number) {
		const key = number === C.NO_INDEX || !this.data.lightmap_page_count ? -1 : number;
		let found = this.pageTextures.get(key);
		if (found) return found;
		const sets =
			key < 0
				? []
				: this.data.lightmap_sets
						.filter(({ kind, pages }) => kind === C.LIGHTMAP_SET_LIGHT && pages[key].data)
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

	// Returns the texture of an image; its pixels are requested when it is first shown.
	texture(image, clamp) {
		if (image === C.NO_INDEX) return null;
		const key = clamp ? -1 - image : image;
		if (!this.textures.has(key)) {
			this.textures.set(key, null);
			this.waiting++;
			const { isAhead } = this;
			this.scene
				.pixels(image, 2048)
				.then((pixels) => this.textures.set(key, this.textureOf(pixels, clamp)))
				.catch(() => {})
				.finally(() => {
					this.arrive(isAhead);
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

	// Called when a texture is loaded. The picture must be drawn again, unless the texture was only requested ahead.
	arrive(isAhead) {
		this.waiting--;
		if (!isAhead) this.isOld = true;
	}

	// Requests the textures of objects that have not been in view, so that they are loaded when the objects come into
	// view.
	fetchAhead() {
		while (!this.waiting && this.unseen.length) {
			this.isAhead = true;
			this.unseen.shift()();
			this.isAhead = false;
		}
	}

	// Returns one texture whose layers are the six images of a box. Returns null until all are loaded, and if their
	// sizes differ.
	boxTexture(images) {
		const key = images.join();
		if (this.textures.has(key) || images.includes(C.NO_INDEX)) return this.textures.get(key) ?? null;
		this.textures.set(key, null);
		this.waiting++;
		const { isAhead } = this;
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
				this.arrive(isAhead);
			});
		return null;
	}

	// Updates everything for a time in seconds and for the camera that looks at it.
	move(time, camera) {
		this.time = time;
		this.eye = camera.position;
		this.cull();
		this.moveItems(time);
		this.moveCrowds(camera);
		this.deform(time, camera);
		this.sky.move(time, camera);
	}

	// Rotates items and moves them up and down, as the game's code does. At time 0 they are where the scene has them.
	moveItems(time) {
		for (const prop of this.items) {
			const { turn_degrees_per_second: turn, bob_height: bob, bob_radians_per_second: speed } = prop;
			const group = this.groups.get(prop.node);
			const [x, y] = this.data.entities[prop.entity].origin;
			const height = time ? bob * Math.cos(speed * time + prop.bob_phase_radians) : 0;
			group.matrix
				.makeTranslation(x, y, height)
				.multiply(new THREE.Matrix4().makeRotationZ((turn * time * Math.PI) / 180))
				.multiply(new THREE.Matrix4().makeTranslation(-x, -y, 0))
				.multiply(this.places[prop.node]);
			group.matrixWorldNeedsUpdate = true;
		}
	}

	moveCrowds(camera) {
		if (!this.crowds.length) return;
		camera.updateMatrixWorld();
		const sight = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
		const frustum = new THREE.Frustum().setFromProjectionMatrix(sight);
		for (const crowd of this.crowds) crowd.move(frustum);
	}

	// Updates a pass for the current time. This also requests the textures that the pass shows.
	movePass(made, pass, node, facts) {
		const texture = (image, clamp) => this.texture(image, clamp);
		const square = new THREE.Vector3().setFromMatrixPosition(facts.place).distanceToSquared(this.eye);
		movePass(made, pass, node, this.time, texture, square);
		if (pass.box) showBox(made, this.boxTexture(pass.box));
		facts.sets.forEach(({ style, intensity }, layer) => {
			const isShown = pass.style === undefined || pass.style === style;
			made.uniforms.styles.value[layer] = isShown ? intensity * this.brightness(style, this.time) : 0;
		});
	}

	// Returns the bounding box of a node, { min, max } as lists.
	boxOf(number) {
		const { min, max } = this.data.meshes[this.data.nodes[number].mesh].bounds;
		const box = new THREE.Box3(new THREE.Vector3(...min), new THREE.Vector3(...max));
		box.applyMatrix4(this.places[number]);
		return { min: box.min.toArray(), max: box.max.toArray() };
	}

	// Moves a node and its children by a row-major 3x4 transform, which applies in the node's own space.
	place(number, transform) {
		const still = this.places[number];
		const moved = still.clone().multiply(new THREE.Matrix4().set(...transform, 0, 0, 0, 1));
		const change = moved.multiply(still.clone().invert());
		for (const [other, group] of this.groups) {
			let above = other;
			while (above !== C.NO_INDEX && above !== number) above = this.data.nodes[above].parent;
			if (above !== number) continue;
			group.matrix.multiplyMatrices(change, this.places[other]);
			group.matrixWorldNeedsUpdate = true;
		}
		this.isOld = true;
	}

	// Gives the world the scene's faces, tree and visibility, so that hidden surfaces are no longer drawn.
	learn(faces, tree, vis) {
		Object.assign(this, { faces, tree });
		this.visibility = Visibility.of(tree, vis);
		if (!this.visibility) return;
		for (const one of this.drawn) {
			const { section, mesh, node, number } = one;
			if (node.kind !== C.NODE_WORLD || !isUnmoved(this.places[number])) {
				one.clusters = this.visibility.clustersOf(cornersOf(mesh.bounds, this.places[number]));
				continue;
			}
			one.faces = faces.slice(section.first_face, section.first_face + section.face_count);
			one.faceClusters = one.faces.map(({ first_vertex: first, vertex_count: count }) =>
				this.visibility.clustersOf(mesh.positions.subarray(3 * first, 3 * (first + count))),
			);
		}
		this.isOld = true;
	}

	// Hides surfaces that cannot be seen from the eye's position.
	cull() {
		if (!this.visibility) return;
		const own = () => this.sightFrom ?? this.visibility.placeOf(this.eye.toArray());
		const place = this.culls && !this.isAbove ? own() : '';
		if (place === this.seenFrom) return;
		this.seenFrom = place;
		const isSeen = this.visibility.from(place);
		for (const one of this.drawn) {
			const { faces, section, geometry, objects, node } = one;
			const seen = faces?.filter((_, i) => isSeen(one.faceClusters[i]));
			const shown = faces?.length ? seen.length > 0 : isSeen(one.clusters);
			for (const object of objects) object.visible = shown;
			if (!shown || !faces?.length || one.isWhole) continue;
			const some = seen.length < faces.length ? seen : null;
			this.geometryOf(node.mesh).show(geometry, section, some);
		}
	}

	// Switches to the view from above, which has no sky and no fog, or back to the view from within.
	showAbove(is) {
		this.isAbove = is;
		this.sky.root.visible = !is;
		for (const made of this.skySurfaces) made.visible = !is;
		for (const { made } of this.passes) made.uniforms.hazeDensity.value = is ? 0 : this.data.map_fog.density;
		this.isOld = true;
	}

	deform(time, camera) {
		if (!this.deforming.length) return;
		camera.updateMatrixWorld();
		const axis = (column) => new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, column).toArray();
		const back = (direction) => direction.map((value) => -value);
		const view = { left: back(axis(0)), up: axis(1), forward: back(axis(2)), eye: camera.position.toArray() };
		for (const { deforming, geometry, place } of this.deforming) {
			deforming.update(time, { ...axesAt(place, view), fromAbove: this.isAbove });
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

export function worldTransforms(nodes) {
	const matrices = [];
	for (const { transform: t, parent } of nodes) {
		const matrix = new THREE.Matrix4().set(...t, 0, 0, 0, 1);
		matrices.push(parent === C.NO_INDEX ? matrix : matrix.premultiply(matrices[parent]));
	}
	return matrices;
}

function isUnmoved(matrix) {
	return matrix.equals(new THREE.Matrix4());
}

// Returns the transformed corners of a box [x, y, z, ...].
function cornersOf({ min, max }, matrix) {
	return [0, 1, 2, 3, 4, 5, 6, 7].flatMap((bits) =>
		new THREE.Vector3(...[0, 1, 2].map((i) => (bits & (1 << i) ? max : min)[i])).applyMatrix4(matrix).toArray(),
	);
}
