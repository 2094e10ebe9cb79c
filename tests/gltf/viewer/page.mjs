// page.mjs - draws a GLB from one of its cameras, or an FBX, OBJ or USDZ as its loader returns it. A GLB with
// MOZ_lightmap is drawn with its lightmaps, as the extension requires of programs. Sends the picture, or an error, back
// to the server.
import * as THREE from 'three';
import { FBXLoader } from 'three/addons/loaders/FBXLoader.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { MTLLoader } from 'three/addons/loaders/MTLLoader.js';
import { OBJLoader } from 'three/addons/loaders/OBJLoader.js';
import { USDZLoader } from 'three/addons/loaders/USDZLoader.js';
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js';

// three.js treats a light map as irradiance and divides the light that a lit material reflects by pi. In MOZ_lightmap,
// the light is simply texture * lightmap * intensity, so the intensity is multiplied by pi here.
class LightmapPlugin {
	constructor(parser) {
		this.parser = parser;
		this.name = 'MOZ_lightmap';
	}

	extendMaterialParams(materialIndex, params) {
		const lightmap = this.parser.json.materials[materialIndex].extensions?.MOZ_lightmap;
		if (!lightmap) return Promise.resolve();
		params.lightMapIntensity = (lightmap.intensity ?? 1) * Math.PI;
		return this.parser.assignTexture(params, 'lightMap', lightmap, THREE.SRGBColorSpace);
	}
}

function findCamera(gltf, name) {
	if (!name) return gltf.cameras[0];
	let found;
	gltf.scene.traverse((object) => {
		const nodeName = THREE.PropertyBinding.sanitizeNodeName(name);
		const isNamed = object.name === nodeName || object.userData.classname === name;
		if (object.isCamera && isNamed) found ??= object;
	});
	return found;
}

// Sets the camera of a game: "X Y Z PITCH YAW" in its units and degrees, pitch down, 90 degrees wide at 4:3.
function placeEye(scale, text) {
	const [x, y, z, pitch, yaw] = text.split(/[ ,]+/).map(Number);
	const [p, a] = [pitch, yaw].map(THREE.MathUtils.degToRad);
	const fov = THREE.MathUtils.radToDeg(2 * Math.atan(0.75));
	const camera = new THREE.PerspectiveCamera(fov, 4 / 3, 4 * scale, 1e5 * scale);
	const forward = new THREE.Vector3(Math.cos(p) * Math.cos(a), -Math.sin(p), -Math.cos(p) * Math.sin(a));
	camera.position.set(x, z, -y).multiplyScalar(scale);
	camera.lookAt(forward.add(camera.position));
	camera.updateMatrixWorld(true);
	return camera;
}

function hideBrushEntities(scene) {
	scene.traverse((object) => {
		if (object.userData.bspscene?.kind === 'brush-entity') object.visible = false;
	});
}

// Removes the lamps, because baked light is complete and they would count twice.
function removeLamps(scene) {
	const lamps = [];
	scene.traverse((object) => object.isLight && lamps.push(object));
	for (const lamp of lamps) lamp.removeFromParent();
	return lamps.length;
}

// Games multiply texture and light as display values, and this shader does the same for files with lightmaps. If
// `linear` is true, textures are filtered in linear light, as viewers do. Otherwise their display values are filtered,
// as in games, which makes distant fine patterns darker.
const GAME_VERTEX = `
	attribute vec2 uv1;
	varying vec2 vMap, vLight;
	varying vec4 vColor;
	uniform mat3 mapTransform;
	void main() {
		vMap = (mapTransform * vec3(uv, 1.0)).xy;
		vLight = uv1;
		#ifdef USE_COLOR_ALPHA
			vColor = color;
		#else
			vColor = vec4(1.0);
		#endif
		gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
	}`;
const GAME_FRAGMENT = `
	varying vec2 vMap, vLight;
	varying vec4 vColor;
	uniform sampler2D map, light, glow;
	uniform vec3 factor;
	uniform float intensity, opacity, cutoff;
	uniform bool textured, lit, glowing, linear, blended;
	vec3 displayed(vec3 c) {
		return mix(12.92 * c, 1.055 * pow(max(c, 0.0031308), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
	}
	void main() {
		vec4 texel = textured ? texture2D(map, vMap) : vec4(1.0);
		if (linear) texel.rgb = displayed(texel.rgb);
		float alpha = texel.a * opacity * vColor.a;
		if (alpha < cutoff) discard;
		vec3 color = texel.rgb * factor * displayed(vColor.rgb);
		if (lit) color *= texture2D(light, vLight).rgb * intensity;
		if (glowing) color += texture2D(glow, vMap).rgb;
		// Opaque materials need an alpha of 1. Otherwise the web page's background would be visible through them,
		// because their textures may have unused alpha.
		gl_FragColor = vec4(min(color, 1.0), blended ? alpha : 1.0);
	}`;

function drawAsGames(scene, linear) {
	const plain = (texture) => {
		if (texture) texture.colorSpace = THREE.NoColorSpace;
		return { value: texture ?? null };
	};
	scene.traverse((object) => {
		if (!object.isMesh) return;
		const { material: from, geometry } = object;
		const factor = from.color.clone().convertLinearToSRGB();
		object.material = new THREE.ShaderMaterial({
			vertexShader: GAME_VERTEX, fragmentShader: GAME_FRAGMENT, side: from.side, transparent: from.transparent,
			depthWrite: from.depthWrite, vertexColors: Boolean(geometry.attributes.color),
			uniforms: {
				map: linear ? { value: from.map } : plain(from.map), linear: { value: linear && Boolean(from.map) },
				light: plain(from.lightMap), glow: plain(from.emissiveMap), factor: { value: factor },
				mapTransform: { value: from.map?.matrix ?? new THREE.Matrix3() },
				intensity: { value: ((from.lightMapIntensity ?? 1) / Math.PI) ** (1 / 2.2) },
				opacity: { value: from.opacity }, cutoff: { value: from.alphaTest },
				textured: { value: Boolean(from.map) }, lit: { value: Boolean(from.lightMap) },
				glowing: { value: Boolean(from.emissiveMap) }, blended: { value: from.transparent },
			},
		});
		from.map?.updateMatrix();
	});
}

function count(scene) {
	const result = { meshes: 0, triangles: 0, lightmapped: 0 };
	scene.traverse((object) => {
		if (!object.isMesh) return;
		result.meshes += 1;
		result.triangles += (object.geometry.index ?? object.geometry.attributes.position).count / 3;
		result.lightmapped += object.material.lightMap ? 1 : 0;
	});
	return result;
}

// Returns, as text, the mean color of a rectangle in the center that has a tenth of the width and height.
function centerOf(renderer) {
	const context = renderer.getContext();
	const { width, height } = renderer.domElement;
	const [w, h] = [Math.ceil(width / 10), Math.ceil(height / 10)];
	const pixels = new Uint8Array(4 * w * h);
	context.readPixels((width - w) >> 1, (height - h) >> 1, w, h, context.RGBA, context.UNSIGNED_BYTE, pixels);
	const sums = [0, 0, 0];
	pixels.forEach((value, i) => i % 4 < 3 && (sums[i % 4] += value));
	return sums.map((sum) => Math.round(sum / (w * h))).join(' ');
}

// Loads an FBX, or an OBJ with its material library. Pictures are next to the file.
async function loadWith(manager, file) {
	if (file.endsWith('.fbx')) return new FBXLoader(manager).setResourcePath('/').loadAsync(file);
	const library = /^mtllib (.*)$/m.exec(await (await fetch(file)).text())?.[1];
	const loader = new OBJLoader(manager);
	if (library) loader.setMaterials(await new MTLLoader(manager).setResourcePath('/').loadAsync(`/${library}`));
	return loader.loadAsync(file);
}

// Returns a scene with its cameras when all its pictures are loaded. The loaders of FBX and OBJ do not wait for
// pictures.
async function load(file) {
	if (file.endsWith('.usdz')) return { scene: await new USDZLoader().loadAsync(file), cameras: [] };
	if (!file.endsWith('.glb')) {
		const manager = new THREE.LoadingManager();
		const whole = new Promise((resolve) => (manager.onLoad = resolve));
		const scene = await loadWith(manager, file);
		await whole;
		return { scene, cameras: [] };
	}
	const loader = new GLTFLoader();
	loader.setMeshoptDecoder(MeshoptDecoder);
	loader.register((parser) => new LightmapPlugin(parser));
	return loader.loadAsync(file);
}

async function show(query) {
	const gltf = await load(query.get('file'));
	const meters = Number(query.get('meters')) || gltf.asset?.extras?.metersPerUnit;
	const camera = query.has('eye') ? placeEye(meters, query.get('eye')) : findCamera(gltf, query.get('camera'));
	if (!camera) throw new Error(`no camera ${query.get('camera') ?? ''}`);
	const [width, height] = query.get('size').split('x').map(Number);
	const lamps = removeLamps(gltf.scene);
	if (query.has('worldOnly')) hideBrushEntities(gltf.scene);
	if (query.has('game')) drawAsGames(gltf.scene, query.get('game') === 'linear');

	const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
	renderer.setSize(width, height);
	renderer.toneMapping = THREE.NoToneMapping;
	document.body.append(renderer.domElement);
	camera.aspect = width / height;
	camera.updateProjectionMatrix();
	gltf.scene.updateMatrixWorld(true);
	const scene = new THREE.Scene();
	scene.add(gltf.scene);
	renderer.render(scene, camera);
	const picture = await new Promise((resolve) => renderer.domElement.toBlob(resolve, 'image/png'));
	const facts = {
		camera: camera.name || 'eye', lamps, ...count(gltf.scene),
		draws: renderer.info.render.calls, center: centerOf(renderer),
	};
	await fetch(`/picture?${new URLSearchParams(facts)}`, { method: 'POST', body: picture });
}

window.addEventListener('error', (event) => fetch('/error', { method: 'POST', body: event.message }));
show(new URLSearchParams(location.search)).catch((error) => fetch('/error', { method: 'POST', body: String(error) }));
