// fade.mjs - lets the controls fade while nobody uses them. A movement, a tap or the Tab key brings them back.
import { elements } from './elements.mjs';

// The controls fade after this many milliseconds without a movement.
const AFTER = 3500;
let waiting;

function isInUse() {
	const { head, tools } = { head: document.getElementById('head'), tools: document.getElementById('tools') };
	const isOver = [head, tools].some((one) => one.matches(':hover') || one.querySelector(':focus-visible'));
	return isOver || document.querySelector('dialog[open]') || !elements.panel.hidden;
}

function fade() {
	if (document.body.classList.contains('open') && !isInUse()) document.body.classList.add('idle');
	else wake();
}

export function wake() {
	document.body.classList.remove('idle');
	clearTimeout(waiting);
	waiting = setTimeout(fade, AFTER);
}

// Brings the controls back when somebody uses them, except by dragging on the map or by keys that move.
export function watchUse() {
	addEventListener('pointermove', (event) => {
		if (event.target !== elements.view || !event.buttons) wake();
	});
	addEventListener('pointerdown', (event) => {
		if (event.target !== elements.view) wake();
	});
	elements.view.addEventListener('click', wake);
	addEventListener('focusin', (event) => event.target !== elements.view && wake());
	addEventListener('keydown', ({ key }) => ['Tab', 'Escape'].includes(key) && wake());
	wake();
}
