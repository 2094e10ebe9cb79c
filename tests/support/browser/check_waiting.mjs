// check_waiting.mjs - tests `until`: what it waits for and what ends it. An earlier version
// hung if the expression threw an exception after its first evaluation. Exit code 77: chrome-remote-interface (npm
// install --prefix tests/archive/page) or Chromium is not installed.
import { evaluate, until, withChromium } from './chromium.mjs';

// An expression that resolves after the page has drawn 50 frames. By then, a wait that can end has ended.
const DRAWN = `new Promise((resolve) => {
	let frames = 0;
	const look = () => (++frames === 50 ? resolve() : requestAnimationFrame(look));
	look();
})`;
const CASES = [
	['true at once', 'true', 'true'],
	['true later', '(globalThis.looks = (globalThis.looks ?? 0) + 1) === 5', 'true'],
	['false', 'false', 'still waiting'],
	['throws at once', 'nothing.here', 'ReferenceError'],
	['throws later', '(globalThis.tries = (globalThis.tries ?? 0) + 1) === 5 && nothing.here', 'ReferenceError'],
];

let failed = false;
await withChromium(async (client) => {
	for (const [what, expression, wanted] of CASES) {
		const waited = until(client, expression).then(String, (error) => /\w*Error/.exec(error.message)?.[0]);
		const found = await Promise.race([waited, evaluate(client, DRAWN).then(() => 'still waiting')]);
		if (found !== wanted) console.log(`${what}: ${found} instead of ${wanted}`);
		failed ||= found !== wanted;
	}
});
process.exit(failed ? 1 : 0);
