import type { BakeOptions, Face, LightSample, LoadOptions, SceneData, WriteOptions } from './records.js';

export type * from './records.js';

/** The numbers of the headers' enums, without `BSPSCENE_`. */
export declare const constants: Readonly<Record<string, number>>;

/** The library's error for a map that it cannot load or write. */
export declare class MapError extends Error {
	/** One of constants.ERROR_... */
	status: number;
	lump: string;
	record: number;
	offset: number;
}

export interface NamedFile {
	/** Relative path with "/": "baseq3/pak0.pk3". */
	path: string;
	blob?: Blob;
	bytes?: Uint8Array;
}

export interface Watched {
	/** Aborting ends the worker: the source and its scenes cannot be used any more. */
	signal?: AbortSignal;
	/** `stage` is a word; `part` goes from 0 to 1. */
	progress?: (stage: string, part: number) => void;
}

export interface OpenOptions {
	/** Which of several files or folders to open. */
	path?: string;
	/** Paths of files that the map may need. */
	games?: string[];
	/** Files that the map may need. */
	more?: Iterable<File | NamedFile>;
	signal?: AbortSignal;
	/** Base address of the module's files. */
	base?: URL;
	/** The module's files themselves, for pages in one file and for bundlers that move files. */
	module?: ModuleFiles;
}

export interface ModuleFiles {
	/** The address of worker.mjs, or a function that starts the worker. */
	worker: string | URL | (() => Worker);
	/** Bytes of bspscene_core.wasm and bspscene_files.wasm. */
	core: ArrayBuffer | Uint8Array;
	files: ArrayBuffer | Uint8Array;
}

export interface MapEntry {
	name: string;
	path: string;
}

export interface Writer {
	name: string;
	title: string;
	extension: string;
}

export interface WrittenFile {
	name: string;
	data: Uint8Array;
}

export interface Pixels {
	width: number;
	height: number;
	/** RGBA, top row first. */
	data: Uint8Array;
}

export interface SkyCube {
	size: number;
	/** RGB pixels of each side. */
	sides: Uint8Array[];
	/** Directions from the center to the corners of each side: top left, top right, bottom left, bottom right. */
	corners: number[][][];
}

export interface Overview {
	origin: number[];
	/** Degrees: positive looks down. */
	pitch: number;
	/** Degrees, counter-clockwise from +X. */
	yaw: number;
	/** Horizontal field of view. */
	fov_degrees: number;
	/** Width divided by height of the picture. */
	aspect: number;
	/** Bounding box of the area that players reach, without things far outside. */
	shown: { min: number[]; max: number[] };
}

export declare function open(input: string | Iterable<File | NamedFile>, options?: OpenOptions): Promise<Source>;

export declare class Source {
	readonly kind: 'map' | 'archive' | 'game';
	readonly maps: MapEntry[];
	/** A line for each game or archive that could not be used. */
	readonly problems: string[];
	readonly writers: Writer[];
	load(map?: string, options?: LoadOptions & Watched): Promise<Scene>;
	/** The object that `bspscene info --json` prints. */
	info(map?: string, options?: LoadOptions & Watched): Promise<Record<string, unknown>>;
	convert(map: string | undefined, writer: string, options?: WriteOptions & Watched & { load?: LoadOptions }): Promise<WrittenFile[]>;
	/** Writes lightmap pages as PNG or HDR, and atlas.json. */
	bake(map?: string, options?: WriteOptions & Watched & { load?: LoadOptions }): Promise<WrittenFile[]>;
	close(): void;
}

export declare class Scene {
	/** Arrays are copies: they remain valid when the scene is freed. */
	readonly data: SceneData;
	part(name: 'faces'): Promise<Face[]>;
	part<Name extends keyof SceneData>(name: Name): Promise<SceneData[Name]>;
	pixels(image: number, side?: number): Promise<Pixels>;
	sky(most?: number): Promise<SkyCube | null>;
	/** The camera of `bspscene render --overview`. */
	overview(width?: number, height?: number): Promise<Overview>;
	lightAt(points: number[][]): Promise<(LightSample | null)[]>;
	write(writer: string, options?: WriteOptions & Watched): Promise<WrittenFile[]>;
	bakeLight(options?: BakeOptions & Watched): Promise<Scene>;
	free(): Promise<void>;
}
