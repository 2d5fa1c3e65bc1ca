/** Builds the folder that Chromium loads. app/extension.zip serves it. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const source = join("app", "extension");
export const extensionFolder = join(".next", "fuxi-extension");
const copied = ["popup.html", "popup.css", "_locales"];
const iconPixels = [16, 32, 48, 128];

export async function bundleExtension(): Promise<void> {
  const [{ build }, { default: sharp }] = await Promise.all([import("esbuild"), import("sharp")]);
  mkdirSync(extensionFolder, { recursive: true });
  await build({
    entryPoints: ["popup", "background"].map((name) => join(source, `${name}.ts`)),
    outdir: extensionFolder,
    bundle: true,
    minify: true,
    format: "esm",
    target: "chrome116",
    alias: { qrcode: "qrcode/lib/core/qrcode.js" },
    logLevel: "silent",
  });
  for (const name of copied) {
    cpSync(join(source, name), join(extensionFolder, name), { recursive: true });
  }
  cpSync("LICENSE-MIT", join(extensionFolder, "LICENSE"));
  const icon = readFileSync(join("app", "icon.svg"));
  await Promise.all(
    iconPixels.map((pixels) =>
      // An SVG is rendered at 72 dots per inch by default, and the icon is 32 wide.
      sharp(icon, { density: (72 * pixels) / 32 })
        .resize(pixels, pixels)
        .png()
        .toFile(join(extensionFolder, `icon-${pixels}.png`)),
    ),
  );
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  const manifest = JSON.parse(readFileSync(join(source, "manifest.json"), "utf8"));
  const built = JSON.stringify({ ...manifest, version }, undefined, 2);
  writeFileSync(join(extensionFolder, "manifest.json"), `${built}\n`);
}
