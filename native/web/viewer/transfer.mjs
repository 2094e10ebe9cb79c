// transfer.mjs - reads files that were dropped on the page, and saves files as downloads.

export function offer(name, blob) {
	const link = document.createElement('a');
	link.href = URL.createObjectURL(blob);
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

// Returns the files that were dropped, and all files in the folders that were dropped.
export async function dropped(items) {
	const files = [];
	const walk = async (entry) => {
		if (entry.isFile) {
			const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
			files.push({ path: entry.fullPath.slice(1), blob: file });
		} else {
			const reader = entry.createReader();
			for (
				let some;
				(some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject))).length;
			) {
				for (const one of some) await walk(one);
			}
		}
	};
	const entries = [...items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
	for (const entry of entries) await walk(entry);
	// If only single files were dropped, they have no folder, and `open` chooses their paths.
	return entries.some((entry) => entry.isDirectory) ? files : files.map(({ blob }) => blob);
}

// Returns an array of handles of the dropped files and folders. Handles can be stored for the next visit. The array is
// empty if the browser does not support handles.
export async function droppedHandles(items) {
	const asked = [...items].filter(({ kind }) => kind === 'file').map((item) => item.getAsFileSystemHandle?.());
	return Promise.all(asked).then(
		(handles) => handles.filter(Boolean),
		() => [],
	);
}
