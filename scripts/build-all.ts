/** `npm run build`: for container images, and for machines that start the processes one by one. */
import { buildAll } from "./build.ts";
import { buildEnvironment } from "./environment.ts";
import { abortOnSignals } from "./processes.ts";

const report = (line: string) => process.stdout.write(`${line}\n`);
await buildAll({ env: buildEnvironment(process.env), report, signal: abortOnSignals() });
