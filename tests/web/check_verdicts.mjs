// check_verdicts.mjs PACKAGE PROGRAM FOLDER...: compares the module in node with the command line, in strict mode. Both
// must accept the same hostile files below the folders. They must refuse the other files with the same message.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , folder, program, ...roots] = process.argv;
if (!existsSync(join(folder, 'bspscene_core.wasm'))) {
	console.log(`skipped: ${folder} is not there, scripts/package-web makes it`);
	process.exit(77);
}
const { open } = await import(pathToFileURL(join(folder, 'bspscene.mjs')));
const files = roots.flatMap((root) =>
	readdirSync(root, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
		.map((entry) => join(entry.parentPath ?? entry.path, entry.name)),
);
assert(files.length > 100, `${files.length} files`);

// All files are opened in one worker, one after the other, as in a page that stays open.
const { host } = await open([{ path: 'first.bsp', bytes: readFileSync(files[0]) }]);

async function verdict(file) {
	const path = `${basename(file)}.bsp`;
	let source;
	try {
		source = await host.call('openFiles', [[{ path, bytes: readFileSync(file) }], `/${path}`, []]);
		const { number, maps } = source;
		const scene = await host.call('load', [number, maps[0].path, { textures: 'names', strict: true }]);
		await host.call('free', [scene.number]);
		return null;
	} catch (error) {
		if (error.status === undefined) return `${file}: ${error.message}`;
		return error.message;
	} finally {
		if (source) await host.call('close', [source.number]);
	}
}

const scratch = mkdtempSync(join(tmpdir(), 'bspscene-verdicts-'));
process.on('exit', () => rmSync(scratch, { recursive: true }));
let refused = 0;
const sizes = [];
const failures = [];
for (const file of files) {
	const said = await verdict(file);
	const words = ['convert', file, join(scratch, 'out.obj'), '--strict', '--quiet', '--lighting', 'none'];
	const { status, stderr } = spawnSync(program, words, { encoding: 'utf8', maxBuffer: 1 << 26 });
	if (said !== null) refused++;
	const reason = said?.replace(/^.*?\.bsp: /, '');
	if ((status === 0) !== (said === null) || (reason && !stderr.includes(reason)))
		failures.push(`${file}: ${said ?? 'taken'}, natively ${status}: ${stderr.trim()}`);
	sizes.push(await host.call('memory', []));
}
host.stop();
console.log(failures.join('\n'));
console.log(`${files.length} files, ${refused} refused, ${Math.max(...sizes) >> 20} MiB at most`);
assert(refused > 50 && failures.length === 0, `${failures.length} verdicts differ`);
