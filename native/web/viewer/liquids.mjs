// liquids.mjs - splits the faces of liquids into pieces as engines do (BSPSCENE_DEFORM_LIQUID), like shade/liquid.c of
// the renderer. A corner is an array of numbers that begins with x, y and z.

// A cut must be at least this far from both ends of the polygon, in game units.
const MARGIN = 8;
const MOST_PIECES = 1 << 18;

function bounds(corners, axis) {
	let [low, high] = [Infinity, -Infinity];
	for (const corner of corners) {
		low = Math.min(low, corner[axis]);
		high = Math.max(high, corner[axis]);
	}
	return [low, high];
}

function findCut(corners, width) {
	for (let axis = 0; axis < 3; axis++) {
		const [low, high] = bounds(corners, axis);
		const at = width * Math.floor(((low + high) * 0.5) / width + 0.5);
		if (high - at >= MARGIN && at - low >= MARGIN) return { axis, at };
	}
	return null;
}

function divide(corners, { axis, at }) {
	const [front, back] = [[], []];
	corners.forEach((here, k) => {
		const next = corners[(k + 1) % corners.length];
		const [a, b] = [here[axis] - at, next[axis] - at];
		if (a >= 0) front.push(here);
		if (a <= 0) back.push(here);
		if (!(a > 0 && b < 0) && !(a < 0 && b > 0)) return;
		const between = here.map((value, i) => value + (a / (a - b)) * (next[i] - value));
		front.push(between);
		back.push(between);
	});
	return [front, back];
}

function pieces(corners, width, most) {
	const [open, done] = [[corners], []];
	while (open.length) {
		const piece = open.pop();
		const cut = done.length + open.length < most ? findCut(piece, width) : null;
		if (!cut) done.push(piece);
		else {
			const [front, back] = divide(piece, cut);
			open.push(back, front);
		}
	}
	return done;
}

const middleOf = (corners) =>
	corners[0].map((_, i) => corners.reduce((sum, corner) => sum + corner[i], 0) / corners.length);

// Divides a piece of a face into a fan of triangles, as the engines do. If `centered` is true, the fan is around the
// center of the piece. Otherwise it is around the last corner if all pieces of the face have four corners (`quads`),
// and around the first corner if not.
function fan(piece, { centered }, quads) {
	if (centered) {
		const all = [middleOf(piece), ...piece];
		return [all, piece.map((_, k) => [0, 1 + k, 1 + ((k + 1) % piece.length)])];
	}
	if (quads)
		return [
			piece,
			[
				[0, 1, 3],
				[1, 2, 3],
			],
		];
	return [piece, Array.from({ length: piece.length - 2 }, (_, k) => [0, k + 1, k + 2])];
}

// Splits a face, which is a convex polygon. Returns { corners, triangles }.
export function cutLiquid(polygon, liquid, turned) {
	const found = liquid.width > 0 ? pieces(polygon, liquid.width, MOST_PIECES) : [polygon];
	const quads = found.every((piece) => piece.length === 4);
	const [corners, triangles] = [[], []];
	for (const piece of found) {
		const first = corners.length;
		const [more, faces] = fan(piece, liquid, quads);
		corners.push(...more);
		for (const [a, b, c] of faces) triangles.push(first + a, first + (turned ? c : b), first + (turned ? b : c));
	}
	return { corners, triangles };
}
