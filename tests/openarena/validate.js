// Validates one GLB with the Khronos validator and prints {"errors", "warnings", "first"} as JSON.
'use strict';
const fs = require('fs');
const validator = require('gltf-validator');

validator.validateBytes(new Uint8Array(fs.readFileSync(process.argv[2])), { maxIssues: 0 }).then((report) => {
	const bad = report.issues.messages.filter((message) => message.severity < 2);
	const first = bad.length ? `${bad[0].code} ${bad[0].pointer}: ${bad[0].message}` : '';
	console.log(JSON.stringify({ errors: report.issues.numErrors, warnings: report.issues.numWarnings, first }));
}).catch((error) => {
	console.error(String(error));
	process.exit(1);
});
