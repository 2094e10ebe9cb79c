// visible.mjs - finds the faces that may be visible, by the map's BSP tree and visibility data. It compares the
// clusters that a face touches with those that are visible from the cluster of the eye.

// If a point is nearer to a plane than this, in game units, it counts as being on both sides.
const ON_PLANE = 0.05;
// Limit for tests of a plane, for all faces together. Faces that are left when it is reached count as visible.
const MOST_STEPS = 4e7;
// If there is a different liquid (or air) this many game units above or below the eye, its cluster counts as visible
// too (gl_rmain.c, R_SetupFrame).
const SURFACE = 16;

// Returns the index of the leaf that contains a point.
export function leafNumberAt({ planes, children }, [x, y, z]) {
	let node = 0;
	while (node >= 0) {
		const at = planes[4 * node] * x + planes[4 * node + 1] * y + planes[4 * node + 2] * z;
		node = children[2 * node + (at >= planes[4 * node + 3] ? 0 : 1)];
	}
	return -1 - node;
}

export class Visibility {
	// `tree` and `vis`: the parts of the scene with these names. Returns null if the map has no visibility.
	static of(tree, vis) {
		return tree?.node_count && vis?.cluster_count && vis.rows ? new Visibility(tree, vis) : null;
	}

	constructor(tree, vis) {
		Object.assign(this, { tree, vis, steps: MOST_STEPS });
		this.stamps = new Uint32Array(vis.cluster_count);
		this.stamp = 0;
	}

	// False for the number that solid leafs and leafs outside the map have, because they have no cluster.
	isCluster(number) {
		return number < this.vis.cluster_count;
	}

	leafAt(point) {
		return this.tree.leafs[leafNumberAt(this.tree, point)];
	}

	// Returns the clusters that a convex shape touches, or null if they are unknown. `points` are the corners of the
	// shape: [x, y, z, x, ...].
	clustersOf(points) {
		const { planes, children, leafs } = this.tree;
		const found = [];
		const open = [0];
		this.stamp++;
		while (open.length) {
			const node = open.pop();
			if (node < 0) {
				const { cluster } = leafs[-1 - node];
				if (this.isCluster(cluster) && this.stamps[cluster] !== this.stamp) {
					this.stamps[cluster] = this.stamp;
					found.push(cluster);
				}
				continue;
			}
			this.steps -= points.length;
			if (this.steps < 0) return null;
			const [a, b, c, d] = [planes[4 * node], planes[4 * node + 1], planes[4 * node + 2], planes[4 * node + 3]];
			let [low, high] = [Infinity, -Infinity];
			for (let i = 0; i < points.length; i += 3) {
				const at = a * points[i] + b * points[i + 1] + c * points[i + 2] - d;
				if (at < low) low = at;
				if (at > high) high = at;
			}
			if (high >= -ON_PLANE) open.push(children[2 * node]);
			if (low <= ON_PLANE) open.push(children[2 * node + 1]);
		}
		return found.length ? found : null;
	}

	// Returns a key for the position of the eye. What is visible depends only on the key. '' means that everything is
	// visible.
	placeOf(eye) {
		const here = this.leafAt(eye);
		if (!this.isCluster(here.cluster)) return '';
		const clusters = new Set([here.cluster]);
		for (const lift of [SURFACE, -SURFACE]) {
			const there = this.leafAt([eye[0], eye[1], eye[2] + lift]);
			if (this.isCluster(there.cluster) && there.contents !== here.contents) clusters.add(there.cluster);
		}
		return [...clusters].join(' ');
	}

	// Returns a function that is true if any of these clusters (of clustersOf) is visible from a place (of placeOf).
	from(place) {
		if (place === '') return () => true;
		const { rows, row_size: size } = this.vis;
		const seen = new Uint8Array(size);
		for (const cluster of place.split(' ').map(Number))
			for (let i = 0; i < size; i++) seen[i] |= rows[cluster * size + i];
		return (clusters) => !clusters || clusters.some((cluster) => seen[cluster >> 3] & (1 << (cluster & 7)));
	}
}
