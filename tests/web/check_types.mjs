// check_types.mjs PACKAGE: the package's types are correct for TypeScript's compiler in strict mode. Skipped without
// the compiler (npm install in tests/web/types) or the package.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, cpSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = resolve(process.argv[2]);
const here = fileURLToPath(new URL('types/', import.meta.url));
const compiler = join(here, 'node_modules/typescript/bin/tsc');
for (const [path, hint] of [
	[join(folder, 'package.json'), 'scripts/package-web makes it'],
	[compiler, 'npm install --prefix tests/web/types brings it'],
]) {
	if (existsSync(path)) continue;
	console.log(`skipped: ${path} is not there, ${hint}`);
	process.exit(77);
}
const scratch = mkdtempSync(join(tmpdir(), 'bspscene-types-'));
try {
	mkdirSync(join(scratch, 'node_modules'));
	symlinkSync(folder, join(scratch, 'node_modules/bspscene'));
	cpSync(join(here, 'sample.mts'), join(scratch, 'sample.mts'));
	const words = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes', '--noEmit'];
	words.push('--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom,dom.iterable', 'sample.mts');
	const { status, stdout } = spawnSync(process.execPath, [compiler, ...words], { cwd: scratch, encoding: 'utf8' });
	console.log(stdout || 'no findings');
	process.exitCode = status;
} finally {
	rmSync(scratch, { recursive: true });
}
