// check_npm.mjs PACKAGE PROGRAM FIXTURES: the npm archive as users get it. It is packed by `npm pack` and installed in
// an empty folder without a network. The README's example then writes the same file as the command line. The archive
// has exactly the listed files.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const [, , folder, program, fixtures] = process.argv;
if (!existsSync(path.join(folder, 'bspscene_core.wasm'))) {
	console.log(`${folder} is not there: scripts/package-web makes it`);
	process.exit(77);
}
if (spawnSync('npm', ['--version']).status !== 0) {
	console.log('npm is not installed');
	process.exit(77);
}
const game = path.resolve(fixtures, 'atrium/quake3');
const scratch = mkdtempSync(path.join(tmpdir(), 'bspscene-npm-'));
process.on('exit', () => rmSync(scratch, { recursive: true }));

function npm(cwd, ...words) {
	return execFileSync(
		'npm',
		[...words, '--offline', '--no-audit', '--no-fund', '--cache', path.join(scratch, 'cache')],
		{
			cwd,
			encoding: 'utf8',
		},
	);
}

const packed = path.join(
	scratch,
	npm(folder, 'pack', '--silent', '--pack-destination', scratch).trim().split('\n').at(-1),
);
const empty = path.join(scratch, 'empty');
mkdirSync(empty);
npm(empty, 'install', packed);
const installed = path.join(empty, 'node_modules/bspscene');
assert.deepEqual(readdirSync(installed).sort(), readdirSync(folder).sort());
const { exports: exported, types } = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
for (const file of [
	types,
	...Object.values(exported).flatMap((one) => (typeof one === 'string' ? one : Object.values(one))),
])
	assert(existsSync(path.join(installed, file)), `${file} is not in the package`);

// Runs the example of the package's page and of the documents. It must have five lines of code.
const pages = ['native/web/README.md', 'README.md', 'docs/javascript.md'].map((name) => {
	const text = readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), 'utf8');
	const [, indent, block] = /^( *)```js\n( *import .*?)^ *```/ms.exec(text);
	return block.replaceAll(new RegExp(`^${indent}`, 'gm'), '').replaceAll(/ *\/\/ .*$/gm, '');
});
const [example] = pages;
for (const page of pages) assert.equal(page, example);
const code = example.trim().split('\n');
assert(code.length <= 5, `the example has ${code.length} lines`);
const changed = example.replaceAll("'baseq3'", JSON.stringify(game)).replaceAll("'q3dm1'", "'atrium'");
assert(changed.includes('atrium') && changed.includes(JSON.stringify(game)));
writeFileSync(path.join(empty, 'example.mjs'), changed);
execFileSync('node', ['example.mjs'], { cwd: empty, stdio: 'inherit' });
const [glb] = readdirSync(empty).filter((name) => name.endsWith('.glb'));
const expected = path.join(scratch, glb);
execFileSync(program, ['convert', game, '--map', 'atrium', expected, '--quiet']);
assert(readFileSync(expected).equals(readFileSync(path.join(empty, glb))), `${glb} differs`);
console.log(`${path.basename(packed)} installed, ${glb} as the command line's`);
