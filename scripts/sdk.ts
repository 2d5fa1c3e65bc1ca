/** Bundles app/sdk into a folder without dependencies, for /api/sdk.tgz, which adds the types of the API. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nodeMin } from "./cli.ts";

const servedFolder = join(".next", "fuxi-sdk");
const exported = ["openFuxi", "FuxiError", "dataOf", "each"];
/** The packages that are bundled, and the files of the package with their types. */
const bundled = { "openapi-fetch": "openapi-fetch", "openapi-typescript-helpers": "helpers" };

export async function bundleSdk(folder = servedFolder): Promise<void> {
  const { build } = await import("esbuild");
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: { fuxi: join("app", "sdk", "index.ts") },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    legalComments: "inline",
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    target: `node${nodeMin}`,
    logLevel: "silent",
  });
  const values = exported.map((name) => `export declare const ${name}: Exports["${name}"];\n`);
  const types = readFileSync(join("app", "sdk", "types.ts"), "utf8");
  writeFileSync(join(folder, "fuxi.d.mts"), `${asDeclarations(types)}\n${values.join("")}`);
  for (const [name, file] of Object.entries(bundled)) {
    const declared = readFileSync(join("node_modules", name, "dist", "index.d.mts"), "utf8");
    writeFileSync(join(folder, `${file}.d.mts`), asDeclarations(declared));
  }
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  const manifest = {
    name: "fuxi",
    version,
    description: "The typed client of Fuxi.",
    license: "MIT",
    type: "module",
    exports: { ".": { types: "./fuxi.d.mts", default: "./fuxi.mjs" } },
    types: "./fuxi.d.mts",
    engines: { node: `>=${nodeMin}` },
  };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  const licenses = Object.keys(bundled).map((name) => join("node_modules", name, "LICENSE"));
  const texts = ["LICENSE-MIT", ...licenses].map((file) => readFileSync(file, "utf8"));
  writeFileSync(join(folder, "LICENSE"), texts.join("\n"));
}

/** With imports of files in the package, and of nothing else. */
function asDeclarations(text: string): string {
  const files = Object.entries({ ...bundled, "./generated/api.ts": "api" });
  return files.reduce(
    (changed, [from, to]) =>
      changed.replaceAll(new RegExp(`from ["']${from}["']`, "g"), `from "./${to}.mjs"`),
    text,
  );
}
