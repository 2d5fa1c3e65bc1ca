/** `npm run build:deployment [folder]`: builds what changed, and copies what production needs. */
import { resolve } from "node:path";
import { buildAll } from "./build.ts";
import { deploymentFolder, itemise, writeDeployment } from "./deployment.ts";
import { buildEnvironment } from "./environment.ts";
import { abortOnSignals } from "./processes.ts";

const [folder = deploymentFolder] = process.argv.slice(2);
const report = (line: string) => process.stdout.write(`${line}\n`);
await buildAll({ env: buildEnvironment(process.env), report, signal: abortOnSignals() });
await writeDeployment(folder);
const items = itemise(folder);
const total = items.reduce((sum, { megabytes }) => sum + megabytes, 0);
for (const { item, megabytes } of items) report(`${megabytes.toFixed(1).padStart(8)} MB  ${item}`);
report(`${total.toFixed(1).padStart(8)} MB  in ${resolve(folder)}`);
