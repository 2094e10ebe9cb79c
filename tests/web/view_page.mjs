// view_page.mjs VIEWER JOBS OUT: opens the viewer's page in headless Chromium. JOBS is a JSON list of { name, files:
// [[path, file], ...], camera: [x, y, z, pitch, yaw], times }. Writes OUT/NAME.TIME.png, OUT/NAME.whole.png (without
// culling), OUT/NAME.above.png (from above) and OUT/facts.json. Walking and axe-core on the page with a map, for
// desktop and phone, light and dark, come last; the word "maps" or "real" after OUT leaves them out.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { audit, evaluate, open, shoot, until, withChromium } from '../support/browser/chromium.mjs';
import { draw, drawAbove } from './picture.mjs';
import { serve } from './serve.mjs';

const [, , viewer, jobFile, out, parts] = process.argv;
const jobs = JSON.parse(readFileSync(jobFile, 'utf8'));
const FAR = 40;
mkdirSync(out, { recursive: true });

const { url, close } = await serve((name) => {
	const job = /^\/file\/(\d+)\/(\d+)$/.exec(name);
	return job ? jobs[job[1]].files[job[2]][1] : path.join(viewer, path.normalize(name === '/' ? 'index.html' : name));
});

// Opens files as if a person had chosen them. The page decides which of them is the map.
function openFiles(client, number) {
	return evaluate(
		client,
		`(async () => {
		const names = ${JSON.stringify(jobs[number].files.map(([name]) => name))};
		const fetchOne = async (path, i) => ({ path, blob: await (await fetch('/file/${number}/' + i)).blob() });
		const files = await Promise.all(names.map(fetchOne));
		const path = ${JSON.stringify(jobs[number].open)};
		const chosen = ({ path, blob }) =>
			Object.defineProperty(new File([blob], path.split('/').at(-1)), 'webkitRelativePath', { value: path });
		await viewer.open(...(path ? [files, { path }] : [files.map(chosen)]));
		return document.getElementById('status').textContent;
	})()`,
	);
}

// If the next job has the same files, only chooses another map in the page.
async function openJob(client, number) {
	const { files, map } = jobs[number];
	const isThere = number > 0 && map && JSON.stringify(files) === JSON.stringify(jobs[number - 1].files);
	if (!isThere) {
		await open(client, map ? `${url}?map=${encodeURIComponent(map)}` : url);
		await until(client, 'globalThis.viewer');
		return openFiles(client, number);
	}
	return evaluate(
		client,
		`viewer.load(viewer.source.maps.find(({ name }) => name === ${JSON.stringify(map)}).path)
			.then(() => document.getElementById('status').textContent)`,
	);
}

// Returns how far a player walks while a key is pressed (`byKey`) and by touch (`byFinger`), in game units, and whether
// the button for walking was pressed.
async function walk(client) {
	await client.Emulation.setDeviceMetricsOverride({ width: 640, height: 600, deviceScaleFactor: 1, mobile: false });
	await evaluate(client, "document.getElementById('camera').value = '0'; viewer.goTo('0')");
	await evaluate(client, "document.getElementById('walk').click()");
	await until(client, 'viewer.fly.walker?.standing');
	await evaluate(client, "document.getElementById('view').focus()");
	const far = async (act, end) => {
		const before = await evaluate(client, 'viewer.fly.walker.origin');
		await act();
		let gone = 0;
		for (let look = 0; look < 100 && gone < FAR; look++) {
			await evaluate(client, 'new Promise((resolve) => setTimeout(resolve, 100))');
			const now = await evaluate(client, 'viewer.fly.walker.origin');
			gone = Math.hypot(...now.map((value, i) => value - before[i]));
		}
		await end();
		return gone;
	};
	const key = (type) => client.Input.dispatchKeyEvent({ type, code: 'KeyS', key: 's' });
	const touch = (type, points) =>
		client.Input.dispatchTouchEvent({ type, touchPoints: points.map(([x, y]) => ({ x, y })) });
	const byKey = await far(
		() => key('keyDown'),
		() => key('keyUp'),
	);
	const byFinger = await far(
		async () => {
			await touch('touchStart', [[100, 400]]);
			await touch('touchMove', [[100, 320]]);
		},
		() => touch('touchEnd', []),
	);
	const pressed = await evaluate(client, "document.getElementById('walk').getAttribute('aria-pressed')");
	await evaluate(client, "document.getElementById('walk').click()");
	await until(client, '!viewer.fly.walker');
	return { byKey, byFinger, pressed };
}

// Returns the number of serious findings of axe-core, and the number of pages that are wider than their window.
async function auditPage(client) {
	let serious = 0;
	for (const scheme of ['light', 'dark']) {
		for (const [name, width] of [
			['phone', 390],
			['desk', 1280],
		]) {
			await client.Emulation.setEmulatedMedia({
				features: [{ name: 'prefers-color-scheme', value: scheme }],
			});
			await client.Emulation.setDeviceMetricsOverride({
				width,
				height: 844,
				deviceScaleFactor: 1,
				mobile: name === 'phone',
			});
			await open(client, url);
			await until(client, 'globalThis.viewer');
			serious += await audit(client, `empty-${name}-${scheme}`);
			await openFiles(client, 0);
			await evaluate(client, "document.getElementById('panel-button').click()");
			await evaluate(
				client,
				`(async () => {
					do await new Promise((resolve) => setTimeout(resolve, 60)); while (viewer.world.waiting);
					viewer.dirty = true;
					await new Promise(requestAnimationFrame);
				})()`,
			);
			serious += await audit(client, `map-${name}-${scheme}`);
			await shoot(client, path.join(out, `page-${name}-${scheme}.png`));
			if ((await evaluate(client, 'document.documentElement.scrollWidth')) > width) serious++;
		}
	}
	return serious;
}

const facts = {};
await withChromium(
	async (client) => {
		const problems = [];
		client.Runtime.exceptionThrown(({ exceptionDetails }) =>
			problems.push(exceptionDetails.exception?.description ?? exceptionDetails.text),
		);
		client.Log.entryAdded(
			({ entry }) => entry.level === 'error' && problems.push(`${entry.text} ${entry.url ?? ''}`),
		);
		client.Runtime.consoleAPICalled(({ type, args }) => {
		if (type === 'error') problems.push(args.map(({ description, value }) => description ?? value).join(' '));
	});
	await client.Runtime.enable();
		await client.Log.enable();
		for (const [number, job] of jobs.entries()) {
			const said = await openJob(client, number);
			if (!(await evaluate(client, 'Boolean(viewer.world)'))) {
				facts[job.name] = { said, problems: problems.splice(0) };
				continue;
			}
			facts[job.name] = { said, calls: 0 };
			for (const time of job.times) {
				const { picture, calls, triangles } = await draw(client, job.camera, time);
				writeFileSync(path.join(out, `${job.name}.${time}.png`), Buffer.from(picture.split(',')[1], 'base64'));
				facts[job.name].calls = Math.max(facts[job.name].calls, calls);
				facts[job.name].triangles = triangles;
			}
			const whole = await draw(client, job.camera, job.times.at(-1), false);
			writeFileSync(path.join(out, `${job.name}.whole.png`), Buffer.from(whole.picture.split(',')[1], 'base64'));
			facts[job.name].whole = [whole.calls, whole.triangles];
			const above = await drawAbove(client);
			writeFileSync(path.join(out, `${job.name}.above.png`), Buffer.from(above.picture.split(',')[1], 'base64'));
			facts[job.name].eye = above.eye;
			if (number === 0 && parts === 'all') facts.walk = await walk(client);
			facts[job.name].problems = problems.splice(0);
		}
		if (parts === 'all') facts.axe = { serious: await auditPage(client) };
	},
	['--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
);
close();
writeFileSync(path.join(out, 'facts.json'), JSON.stringify(facts, null, '\t'));
