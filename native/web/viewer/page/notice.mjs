// notice.mjs - messages over the map: progress, results, and errors, which stay until they are closed.
import { elements } from './elements.mjs';

// A message stays for STAYS milliseconds, and LETTER milliseconds more for each of its letters.
const STAYS = 2500;
const LETTER = 60;
let waiting;

function show(kind) {
	clearTimeout(waiting);
	elements.notice.classList.add('shown');
	elements.notice.classList.toggle('bad', kind === 'bad');
	elements['notice-close'].hidden = kind !== 'bad';
}

export function hideNotice() {
	clearTimeout(waiting);
	elements.notice.classList.remove('shown');
}

export function say(text) {
	elements.status.textContent = text;
	show('good');
	if (elements.progress.hidden) waiting = setTimeout(hideNotice, STAYS + LETTER * text.length);
}

export function sayError(text) {
	elements.progress.hidden = true;
	elements.status.textContent = text;
	show('bad');
}

// Shows what is being done, and how much of it is done (0 to 1).
export function sayProgress(stage, part) {
	elements.progress.hidden = false;
	elements.progress.value = part;
	if (stage) {
		elements.status.textContent = `${stage}...`;
		show('good');
	}
}

// Hides the progress bar. The last message stays for a while unless it is an error, which stays until it is closed.
export function endProgress() {
	elements.progress.hidden = true;
	if (elements.notice.classList.contains('bad')) return;
	clearTimeout(waiting);
	waiting = setTimeout(hideNotice, STAYS + LETTER * elements.status.textContent.length);
}

elements['notice-close'].addEventListener('click', () => {
	hideNotice();
	elements.view.focus();
});
