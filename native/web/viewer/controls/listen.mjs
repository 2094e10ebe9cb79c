// listen.mjs - connects buttons, menus, keys and drops of the page with the viewer (main.mjs).
import { dropped } from '../transfer.mjs';

// `elements`: elements of the page, by id.
export function listen(viewer, elements) {
	hearFiles(viewer, elements);
	hearMenus(viewer, elements);
	hearCanvas(viewer, elements);
	hearFullScreen(elements);
}

function hearFiles(viewer, elements) {
	for (const input of [elements.files, elements.folder]) {
		input.addEventListener('change', () => {
			viewer.open([...input.files]);
			// Allows choosing the same files again.
			input.value = '';
		});
	}
	for (const [type, over] of [
		['dragover', true],
		['dragleave', false],
		['drop', false],
	]) {
		addEventListener(type, (event) => {
			event.preventDefault();
			document.body.classList.toggle('over', over);
		});
	}
	addEventListener('drop', async (event) => viewer.open(await dropped(event.dataTransfer.items)));
}

function hearMenus(viewer, elements) {
	elements.map.addEventListener('change', () => viewer.load(elements.map.value));
	elements.camera.addEventListener('change', () => {
		viewer.going = viewer.goTo(elements.camera.value);
		elements.view.focus();
	});
	elements.save.addEventListener('change', () => {
		viewer.save(elements.save.value);
		elements.save.value = '';
	});
	elements.animate.addEventListener('change', () => {
		if (viewer.world) viewer.world.animated = elements.animate.checked;
		viewer.dirty = true;
	});
	elements.show.addEventListener('change', () => {
		viewer.showing = viewer.show(elements.show.value);
	});
	// For users who prefer less motion, animation starts only on request.
	elements.animate.checked = !matchMedia('(prefers-reduced-motion: reduce)').matches;
	elements['panel-button'].addEventListener('click', () => {
		elements.panel.hidden = !elements.panel.hidden;
		elements['panel-button'].setAttribute('aria-expanded', String(!elements.panel.hidden));
		viewer.dirty = true;
	});
}

function hearCanvas(viewer, elements) {
	elements.walk.addEventListener('click', () => {
		viewer.walk(!viewer.fly.walker);
		elements.view.focus();
	});
	elements.view.addEventListener('keydown', ({ code, repeat }) => {
		if (code === 'KeyF' && !repeat && viewer.world) viewer.walk(!viewer.fly.walker);
	});
	for (const [type, is] of [
		['pointerdown', true],
		['pointerup', false],
		['pointercancel', false],
		['pointerleave', false],
	])
		elements.jump.addEventListener(type, () => {
			viewer.fly.jumps = is;
		});
	elements.view.addEventListener('click', (event) => {
		if (viewer.fly.moved < 4) viewer.pick(event.clientX, event.clientY);
	});
}

function hearFullScreen(elements) {
	const turnFull = () => {
		if (document.fullscreenElement) document.exitFullscreen();
		else document.documentElement.requestFullscreen?.();
	};
	elements.view.addEventListener('dblclick', turnFull);
	elements.full.addEventListener('click', turnFull);
	elements.full.hidden = !document.fullscreenEnabled;
	document.addEventListener('fullscreenchange', () =>
		elements.full.setAttribute('aria-pressed', String(Boolean(document.fullscreenElement))),
	);
}
