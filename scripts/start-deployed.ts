/** `npm start` of a deployment, in which everything is built: see scripts/deployment.ts. */
import { compiledProcess } from "./compile.ts";
import { launch } from "./launch.ts";

await launch({
  nodeEnv: "production",
  argsOf: compiledProcess,
  prepare: async () => undefined,
  watch: () => () => undefined,
});
