// check_bundlers.mjs PACKAGE VIEWER PROGRAM: tests that another project's page can use the package as its README
// describes. The page is written in TypeScript (strict) and has the README's policy for scripts. It is bundled by vite
// and by esbuild. In Chromium, each bundle must convert a map to the same bytes as the command line. Skipped without
// the package or the bundlers (npm ci in tests/web/bundlers).
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { evaluate, open, skip, withChromium } from '../support/browser/chromium.mjs';
import { Page } from './page_test.mjs';
import { serve } from './serve.mjs';

const [, , folder, viewer, program] = process.argv;
const tools = fileURLToPath(new URL('bundlers/node_modules/', import.meta.url));
const MAP = 'atrium';
const archive = path.resolve(viewer, 'sample_quake.zip');
for (const [file, hint] of [
	[path.join(folder, 'package.json'), 'scripts/package-web makes it'],
	[archive, 'scripts/package-web makes it'],
	[path.join(tools, 'vite'), 'npm ci --prefix tests/web/bundlers brings it'],
]) {
	if (!existsSync(file)) skip(`${file} is not there, ${hint}`);
}

const readme = readFileSync(path.join(folder, 'README.md'), 'utf8');
const [, opened] = /^```js\n(const source = await open\(.*base:.*)\n```$/m.exec(readme);
const POLICY = "script-src 'self' 'wasm-unsafe-eval'";
assert(readme.includes("`'wasm-unsafe-eval'` in `script-src`"));
const TYPED = `import { open } from 'bspscene';

declare global {
	interface Window { made?: Promise<{ name: string; sum: string }> }
}

async function convert(input: { files: FileList }): Promise<{ name: string; sum: string }> {
	${opened}
	const [glb] = await source.convert('${MAP}', 'glb');
	if (!glb) throw new Error('nothing was written');
	const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', glb.data.slice()));
	return { name: glb.name, sum: [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('') };
}

const input = document.querySelector<HTMLInputElement>('#files')!;
input.addEventListener('change', () => {
	window.made = convert({ files: input.files! });
});
`;
const page = (script) => `<!doctype html>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>A page of somebody else</title>
<input id="files" type="file" aria-label="Files">
<script type="module" src="${script}"></script>
`;

const scratch = mkdtempSync(path.join(tmpdir(), 'bspscene-bundlers-'));
process.on('exit', () => rmSync(scratch, { recursive: true }));
const node = (script, ...words) =>
	execFileSync(process.execPath, [path.join(tools, script), ...words], { cwd: scratch, stdio: 'inherit' });

cpSync(folder, path.join(scratch, 'node_modules/bspscene'), { recursive: true });
cpSync(folder, path.join(scratch, 'public/bspscene'), { recursive: true });
writeFileSync(path.join(scratch, 'package.json'), '{ "type": "module" }');
writeFileSync(path.join(scratch, 'main.ts'), TYPED);
writeFileSync(path.join(scratch, 'index.html'), page('main.ts'));
const strict = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler'];
node('typescript/bin/tsc', ...strict, '--lib', 'es2022,dom,dom.iterable', 'main.ts');
node('vite/bin/vite.js', 'build', '--base', './', '--outDir', 'vite', '--logLevel', 'warn');
mkdirSync(path.join(scratch, 'esbuild'));
cpSync(path.join(scratch, 'public'), path.join(scratch, 'esbuild'), { recursive: true });
writeFileSync(path.join(scratch, 'esbuild/index.html'), page('main.js'));
const asked = ['main.ts', '--bundle', '--format=esm', '--outfile=esbuild/main.js', '--log-level=warning'];
execFileSync(path.join(tools, 'esbuild/bin/esbuild'), asked, { cwd: scratch, stdio: 'inherit' });

const expected = path.join(scratch, `${MAP}.glb`);
execFileSync(program, ['convert', archive, '--map', MAP, expected, '--quiet']);
const sum = createHash('sha256').update(readFileSync(expected)).digest('hex');

await withChromium(async (client) => {
	for (const domain of ['Runtime', 'DOM']) await client[domain].enable();
	for (const bundler of ['vite', 'esbuild']) {
		const { url, close } = await serve((name) =>
			path.join(scratch, bundler, path.normalize(name === '/' ? 'index.html' : name)),
		);
		const shown = new Page(client, url);
		await open(client, url);
		await shown.choose('files', [archive]);
		await shown.until('window.made');
		assert.deepEqual(await evaluate(client, 'window.made'), { name: `${MAP}.glb`, sum }, bundler);
		console.log(`${bundler}: ${MAP}.glb as the command line's`);
		close();
	}
});
