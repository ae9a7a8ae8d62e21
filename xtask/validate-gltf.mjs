// Runs the Khronos glTF validator over files and prints a line for each.
//
//   node xtask/validate-gltf.mjs FILE.glb …
//
// The npm package `gltf-validator` is looked for in the workspace's node_modules, or in the folder
// that SINEW_NODE_MODULES names. Exit code: 0 no errors, 1 some file has errors, 3 no validator.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const folder = process.env.SINEW_NODE_MODULES ?? path.join(import.meta.dirname, "..", "node_modules");
let validator;
try {
  validator = createRequire(path.join(path.resolve(folder), "_"))(path.join(path.resolve(folder), "gltf-validator"));
} catch {
  console.error(`gltf-validator is not installed in ${folder}`);
  process.exit(3);
}

let failed = false;
for (const file of process.argv.slice(2)) {
  const bytes = new Uint8Array(readFileSync(file));
  const { issues } = await validator.validateBytes(bytes, { uri: path.basename(file), maxIssues: 1000 });
  console.log(`${path.basename(file)}: ${issues.numErrors} errors, ${issues.numWarnings} warnings, ${issues.numInfos} notes`);
  for (const { severity, code, message, pointer } of issues.messages.filter((m) => m.severity <= 1).slice(0, 20)) {
    console.log(`  ${severity === 0 ? "error" : "warning"} ${code} at ${pointer}: ${message}`);
  }
  failed ||= issues.numErrors > 0;
}
process.exit(failed ? 1 : 0);
