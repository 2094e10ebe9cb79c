// eye.mjs - code that the pages of all viewers except three.js share. It converts the game's camera to the file's
// space, and returns the picture or an error.

async function readFacts(url) {
	const file = await (await fetch(url)).arrayBuffer();
	const length = new DataView(file).getUint32(12, true);
	return JSON.parse(new TextDecoder().decode(new Uint8Array(file, 20, length)));
}

// Converts "X Y Z PITCH YAW" from the game's units and degrees (pitch down) to meters and glTF's axes. The view is 90
// degrees wide at 4:3.
export async function readEye(url, text) {
	const [x, y, z, pitch, yaw] = text.split(/[ ,]+/).map(Number);
	const scale = (await readFacts(url)).asset.extras.metersPerUnit;
	const [p, a] = [pitch, yaw].map((degrees) => degrees * Math.PI / 180);
	return {
		position: [x * scale, z * scale, -y * scale],
		forward: [Math.cos(p) * Math.cos(a), -Math.sin(p), -Math.cos(p) * Math.sin(a)],
		fov: 2 * Math.atan(0.75), near: 4 * scale, far: 1e5 * scale,
	};
}

// Posts a picture of /model.glb. `draw` draws it from a camera, and resolves with the picture as a blob and with facts
// to print.
export async function post(draw) {
	const report = (error) => fetch('/error', { method: 'POST', body: String(error) });
	window.addEventListener('error', (event) => report(event.message));
	try {
		const query = new URLSearchParams(location.search);
		const [width, height] = query.get('size').split('x').map(Number);
		const { picture, facts } = await draw(await readEye('/model.glb', query.get('eye')), width, height);
		await fetch(`/picture?${new URLSearchParams(facts)}`, { method: 'POST', body: picture });
	} catch (error) {
		await report(error);
	}
}
