// picture.mjs - takes pictures of the viewer's page, from a given camera and at a given time.
import { evaluate } from '../support/browser/chromium.mjs';

export const SIZE = [640, 480];

// Returns the picture from a camera at a time, with all textures loaded. If `culls` is false, surfaces that cannot be
// seen are drawn, too.
export function draw(client, camera, time, culls = true) {
	return evaluate(
		client,
		`(async () => {
		const [x, y, z, pitch, yaw] = ${JSON.stringify(camera)};
		viewer.fly.fromString([x, y, z, yaw, -pitch].join(','));
		viewer.world.animated = false;
		await viewer.learning;
		viewer.world.culls = ${culls};
		const shot = () => {
			viewer.renderer.setPixelRatio(1);
			viewer.renderer.setSize(${SIZE}, false);
			viewer.camera.aspect = ${SIZE[0]} / ${SIZE[1]};
			viewer.camera.fov = 73.7398;
			viewer.camera.updateProjectionMatrix();
			viewer.world.move(${time}, viewer.camera);
			viewer.renderer.render(viewer.three, viewer.camera);
		};
		shot();
		while (viewer.world.waiting) await new Promise((resolve) => setTimeout(resolve, 20));
		shot();
		const { calls, triangles } = viewer.renderer.info.render;
		return { picture: viewer.renderer.domElement.toDataURL('image/png'), calls, triangles };
	})()`,
	);
}

// Returns the picture of the map from above, with the same camera as `render --overview`, and the position of the
// camera, [x, y, z].
export function drawAbove(client) {
	return evaluate(
		client,
		`(async () => {
		viewer.overview = () => viewer.world.scene.overview(${SIZE});
		await viewer.show('overview');
		const shot = () => {
			viewer.renderer.setPixelRatio(1);
			viewer.renderer.setSize(${SIZE}, false);
			viewer.aim(${SIZE[0]} / ${SIZE[1]});
			viewer.world.move(0, viewer.camera);
			viewer.renderer.render(viewer.three, viewer.camera);
		};
		shot();
		while (viewer.world.waiting) await new Promise((resolve) => setTimeout(resolve, 20));
		shot();
		const picture = viewer.renderer.domElement.toDataURL('image/png');
		const eye = viewer.camera.position.toArray();
		await viewer.show('game');
		return { picture, eye };
	})()`,
	);
}
