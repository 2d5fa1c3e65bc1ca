/** `npm run build`: for machines that start the processes one by one, and for images. */
import { buildAll } from "./build.ts";
import { buildEnvironment } from "./environment.ts";

const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => stopping.abort());
}
await buildAll({
  env: buildEnvironment(process.env),
  report: (line) => process.stdout.write(`${line}\n`),
  signal: stopping.signal,
});
