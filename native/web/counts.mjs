// counts.mjs - rules for the lengths of arrays in a scene's records. An array needs a rule if the record has no field
// that states the length and is named after the array. A rule is a function that returns the length. Its arguments are
// the record, of which the fields before the array have been read, and the record or scene that contains this record.
import { constants } from './layout.mjs';

// How many numbers a luxel has. They are bytes or half floats.
const PAGE_NUMBERS = {
	[constants.LIGHTMAP_PAGE_RGB8]: 3,
	[constants.LIGHTMAP_PAGE_RGB16F]: 3,
	[constants.LIGHTMAP_PAGE_RAW32]: 4,
};

// Side of the blocks of a sparse page in luxels (BSPSCENE_LIGHTMAP_BLOCK).
const BLOCK = 16;

export const counts = {
	Mesh: {
		positions: (mesh) => 3 * mesh.vertex_count,
		normals: (mesh) => 3 * mesh.vertex_count,
		uvs: (mesh) => 2 * mesh.vertex_count,
		lightmap_uvs: (mesh) => 2 * mesh.vertex_count,
		map_page_uvs: (mesh) => 2 * mesh.vertex_count,
		colors: (mesh) => 4 * mesh.vertex_count,
		vertex_records: (mesh) => mesh.vertex_count,
		baked_light: (mesh) => 3 * mesh.vertex_count,
		blend_alphas: (mesh) => mesh.vertex_count,
		blend_weights: (mesh) => 4 * mesh.vertex_count,
		indices: (mesh) => mesh.index_count,
		triangle_tags: (mesh) => mesh.index_count / 3,
		joints: (mesh) => 4 * mesh.vertex_count,
		weights: (mesh) => 4 * mesh.vertex_count,
		frame_positions: (mesh) => 3 * mesh.vertex_count * frames_of(mesh),
		frame_normals: (mesh) => 3 * mesh.vertex_count * frames_of(mesh),
	},
	Rig: { poses: (rig) => rig.bone_count * rig.frame_count },
	VertexColorSet: { colors: (set, mesh) => 4 * mesh.vertex_count },
	Image: { data: (image) => image.size },
	LightmapSet: { pages: (set, scene) => scene.lightmap_page_count },
	LightmapPage: { data: (page) => page.width * page.height * PAGE_NUMBERS[page.format] },
	LightmapBlocks: {
		indices: (blocks) => blocks.columns * blocks.rows,
		luxels: (blocks) => blocks.block_count * BLOCK * BLOCK * blocks.luxel_size,
	},
	LightGrid: {
		styles: (grid) => grid.style_count * samples(grid),
		ambient: (grid) => 3 * grid.style_count * samples(grid),
		directed: (grid) => 3 * grid.style_count * samples(grid),
		directions: (grid) => 2 * samples(grid),
	},
	Prop: { colors: (prop, scene) => 4 * vertices_of(scene, scene.nodes[prop.node].mesh) },
	Tree: {
		planes: (tree) => 4 * tree.node_count,
		children: (tree) => 2 * tree.node_count,
		leafs: (tree) => tree.leaf_count,
	},
	Vis: { rows: (vis) => vis.cluster_count * vis.row_size },
	MapLight: { luxel_locations: (stored, scene) => scene.face_count },
	Scene: { added_styles: () => 256, pakfile: (scene) => scene.pakfile_size },
};

function samples(grid) {
	return grid.counts[0] * grid.counts[1] * grid.counts[2];
}

function frames_of(mesh) {
	return mesh.rig ? mesh.rig.frame_count : 0;
}

function vertices_of(scene, mesh) {
	return mesh === constants.NO_INDEX ? 0 : scene.meshes[mesh].vertex_count;
}
