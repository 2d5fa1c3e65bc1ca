/** `npm start`: builds what changed, runs the processes in production mode. */
import { buildAll } from "./build.ts";
import { compiledProcess } from "./compile.ts";
import { launch } from "./launch.ts";

await launch({
  nodeEnv: "production",
  argsOf: compiledProcess,
  prepare: buildAll,
  watch: () => () => undefined,
});
