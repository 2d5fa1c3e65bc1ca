/** `npm start`: builds the pages, runs the processes in production mode. */
import { buildPages } from "./build.ts";
import { launch } from "./launch.ts";

await launch({
  nodeEnv: "production",
  afterCrashes: "stop",
  prepare: buildPages,
  watch: () => () => undefined,
});
