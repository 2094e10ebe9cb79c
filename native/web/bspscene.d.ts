import type { BakeOptions, Face, LightSample, LoadOptions, SceneData, WriteOptions } from './records.js';

export type * from './records.js';

/** The numbers of the headers' enums, without `BSPSCENE_`. */
export declare const constants: Readonly<Record<string, number>>;

/** What the library says of a map that it cannot load or write. */
export declare class MapError extends Error {
	/** One of constants.ERROR_... */
	status: number;
	lump: string;
	record: number;
	offset: number;
}

export interface NamedFile {
	/** Relative, with "/": "baseq3/pak0.pk3". */
	path: string;
	blob?: Blob;
	bytes?: Uint8Array;
}

export interface Watched {
	/** Ends the worker when it is aborted: the source and its scenes are gone then. */
	signal?: AbortSignal;
	/** stage is a word, part goes from 0 to 1. */
	progress?: (stage: string, part: number) => void;
}

export interface OpenOptions {
	/** Which of several files or folders. */
	path?: string;
	/** Paths of what else a map may need. */
	games?: string[];
	/** Files with what else a map may need. */
	more?: Iterable<File | NamedFile>;
	signal?: AbortSignal;
	/** Where the module's files are. */
	base?: URL;
	/** The module's files themselves, for pages in one file and for bundlers that move them. */
	module?: ModuleFiles;
}

export interface ModuleFiles {
	/** The address of worker.mjs, or what starts it. */
	worker: string | URL | (() => Worker);
	/** Of bspscene_core.wasm and bspscene_files.wasm. */
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
	/** RGB of each side. */
	sides: Uint8Array[];
	/** Ways from the middle to the corners of each side: left and right of the top, then of the bottom. */
	corners: number[][][];
}

export interface Overview {
	origin: number[];
	/** Degrees: positive looks down. */
	pitch: number;
	/** Degrees, counter-clockwise from +X. */
	yaw: number;
	/** From left to right. */
	fov_degrees: number;
	/** Of the picture that it is for, width by height. */
	aspect: number;
	/** The box of what is shown: where players get to, without what is far outside. */
	shown: { min: number[]; max: number[] };
}

export declare function open(input: string | Iterable<File | NamedFile>, options?: OpenOptions): Promise<Source>;

export declare class Source {
	readonly kind: 'map' | 'archive' | 'game';
	readonly maps: MapEntry[];
	/** A line for each game or archive that was left out. */
	readonly problems: string[];
	readonly writers: Writer[];
	load(map?: string, options?: LoadOptions & Watched): Promise<Scene>;
	/** What `bspscene info --json` says. */
	info(map?: string, options?: LoadOptions & Watched): Promise<Record<string, unknown>>;
	convert(map: string | undefined, writer: string, options?: WriteOptions & Watched & { load?: LoadOptions }): Promise<WrittenFile[]>;
	/** Lightmap pages as PNG or HDR, and atlas.json. */
	bake(map?: string, options?: WriteOptions & Watched & { load?: LoadOptions }): Promise<WrittenFile[]>;
	close(): void;
}

export declare class Scene {
	/** Copies: they stay when the scene is freed. */
	readonly data: SceneData;
	part(name: 'faces'): Promise<Face[]>;
	part<Name extends keyof SceneData>(name: Name): Promise<SceneData[Name]>;
	pixels(image: number, side?: number): Promise<Pixels>;
	sky(most?: number): Promise<SkyCube | null>;
	/** From where `bspscene render --overview` looks. */
	overview(width?: number, height?: number): Promise<Overview>;
	lightAt(points: number[][]): Promise<(LightSample | null)[]>;
	write(writer: string, options?: WriteOptions & Watched): Promise<WrittenFile[]>;
	bakeLight(options?: BakeOptions & Watched): Promise<Scene>;
	free(): Promise<void>;
}
