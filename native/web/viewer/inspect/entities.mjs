// entities.mjs - a map's entities: their keys, and a list of those with a position.
import { constants as C } from '../../bspscene.mjs';

export function keysOf(data, number) {
	const { first_pair: first, pair_count: count } = data.entities[number];
	return data.pairs.slice(first, first + count).map(({ key, value }) => [key, value]);
}

// Returns the entity of a node, or of its nearest ancestor that has one.
export function entityOf(data, number) {
	for (let node = data.nodes[number]; node; node = data.nodes[node.parent])
		if (node.entity !== C.NO_INDEX) return node.entity;
	return C.NO_INDEX;
}

// Returns options for a <select>: the entities with a position, grouped by class.
export function entityGroups(data) {
	const classes = new Map();
	data.entities.forEach(({ classname, node }, number) => {
		const hasPlace = keysOf(data, number).some(([key]) => key === 'origin');
		if (!number || (!hasPlace && data.nodes[node].mesh === C.NO_INDEX)) return;
		if (!classes.has(classname)) classes.set(classname, []);
		classes.get(classname).push(new Option(data.nodes[node].name, `entity ${number}`));
	});
	return [...classes.keys()].sort().map((name) => {
		const group = Object.assign(document.createElement('optgroup'), { label: name });
		group.append(...classes.get(name));
		return group;
	});
}
