// listen.mjs - connects buttons, menus, keys and drops of the page with the viewer (viewer.mjs).
import { watchUse } from '../page/fade.mjs';
import { listenPicker, openPicker } from '../page/picker.mjs';
import { listenWelcome } from '../page/welcome.mjs';
import { dropped, droppedHandles } from '../transfer.mjs';

// `elements`: the elements of the page by their ids.
export function listen(viewer, elements) {
	hearDrops(viewer);
	hearMenus(viewer, elements);
	hearCanvas(viewer, elements);
	hearFullScreen(elements);
	hearHelp(viewer, elements);
	listenPicker(viewer);
	listenWelcome(viewer);
	watchUse();
}

function hearDrops(viewer) {
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
	addEventListener('drop', async ({ dataTransfer: { items } }) => {
		// Both calls are made before the first `await`, because the browser empties `items` when the event ends.
		const [files, handles] = [dropped(items), droppedHandles(items)];
		try {
			await viewer.open(await files, { handles });
		} catch (error) {
			viewer.fail(error);
		}
	});
}

function hearMenus(viewer, elements) {
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
	// If users prefer less motion, animation starts only when they switch it on.
	elements.animate.checked = !matchMedia('(prefers-reduced-motion: reduce)').matches;
	elements['panel-button'].addEventListener('click', () => showPanel(viewer, elements, elements.panel.hidden));
	elements.home.addEventListener('click', () => viewer.world && viewer.past.leave());
}

function showPanel(viewer, elements, isShown) {
	elements.panel.hidden = !isShown;
	elements['panel-button'].setAttribute('aria-expanded', String(isShown));
	viewer.dirty = true;
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

// Connects the help, and keys that work everywhere except where text is typed.
function hearHelp(viewer, elements) {
	const { help, panel, view } = elements;
	elements['help-button'].addEventListener('click', () => help.showModal());
	help.addEventListener('click', (event) => event.target === help && help.close());
	addEventListener('keydown', (event) => {
		const isTyped = event.target.matches?.('input[type=search], select') || document.querySelector('dialog[open]');
		if (isTyped || event.ctrlKey || event.metaKey || event.altKey) return;
		if (event.key === '?') help.showModal();
		else if (event.code === 'KeyM') openPicker(viewer);
		else if (event.key === 'Escape' && !panel.hidden) {
			showPanel(viewer, elements, false);
			view.focus();
		} else return;
		event.preventDefault();
	});
}
