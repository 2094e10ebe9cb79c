// What a program with strict types does with the package: everything that it exports, by the names of the README.
import { constants, MapError, open } from 'bspscene';
import type { Face, LoadOptions, MapEntry, Pixels, Source, Scene, WrittenFile } from 'bspscene';

export async function convertAll(files: Iterable<File>, signal: AbortSignal): Promise<Map<string, Uint8Array>> {
	const made = new Map<string, Uint8Array>();
	const source: Source = await open(files, { games: ['/baseq3'], signal });
	for (const { name, path } of source.maps satisfies MapEntry[]) {
		try {
			const [main]: WrittenFile[] = await source.convert(path, 'glb', {
				lighting: 'lightmap',
				load: { textures: 'names', include_mask: ['sky', 'clip'] },
				progress: (stage, part) => console.log(stage.toUpperCase(), part.toFixed(2)),
			});
			if (main) made.set(name, main.data);
		} catch (error) {
			if (!(error instanceof MapError)) throw error;
			console.log(error.lump, error.record + error.offset, error.status === constants.ERROR_MEMORY_LIMIT);
		}
	}
	source.close();
	return made;
}

export async function look(scene: Scene): Promise<number> {
	const faces: Face[] = await scene.part('faces');
	const vis = await scene.part('vis');
	const pixels: Pixels = await scene.pixels(0, 512);
	const sky = await scene.sky();
	const [light] = await scene.lightAt([[0, 0, 64]]);
	const names: string[] = scene.data.lighting_variants;
	const corners = scene.data.meshes.flatMap((mesh) => [...(mesh.positions ?? [])]);
	const options: LoadOptions = { lightmap_encoding: 'hdr', strict: true };
	const baked = await scene.bakeLight({ light_styles: new Float32Array(256) });
	await baked.free();
	return (
		faces.length +
		(vis?.rows?.length ?? 0) +
		pixels.data.length +
		(sky?.size ?? 0) +
		(light?.direction.length ?? 0) +
		names.length +
		corners.length +
		Number(options.strict)
	);
}

declare const scene: Scene;
declare const source: Source;
// @ts-expect-error: there is no such part
void scene.part('nothing');
// @ts-expect-error: a name is a text
void source.load(7);
// @ts-expect-error: options are those of the library
void source.load('atrium', { lightning: 'lightmap' });
// @ts-expect-error: a scene's data is not to be exchanged
scene.data = null;
