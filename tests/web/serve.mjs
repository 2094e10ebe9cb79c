// serve.mjs - a minimal static server: fileOf(name) returns the file for an address, or undefined.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';

const TYPES = {
	'.html': 'text/html',
	'.css': 'text/css',
	'.js': 'text/javascript',
	'.mjs': 'text/javascript',
	'.json': 'application/json',
	'.png': 'image/png',
	'.wasm': 'application/wasm',
};

export async function serve(fileOf) {
	const server = createServer((request, response) => {
		const file = fileOf(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
		if (!existsSync(file) || !statSync(file).isFile()) return void response.writeHead(404).end();
		response.writeHead(200, { 'Content-Type': TYPES[path.extname(file)] ?? 'application/octet-stream' });
		createReadStream(file).pipe(response);
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	const close = () => {
		server.close();
		server.closeAllConnections();
	};
	return { url: `http://127.0.0.1:${server.address().port}/`, close };
}
