/** Copied into a deployment as bootstrap.mjs, where everything is already built. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL(".", import.meta.url));
process.chdir(root);
if (existsSync(".env")) process.loadEnvFile(".env");
const [target = "start"] = process.argv.splice(2, 1);
const file = target === "start" ? "fuxi-launcher/start-deployed" : `fuxi-processes/${target}`;
const script = join(root, ".next", `${file}.mjs`);
process.argv[1] = script;
await import(script);
