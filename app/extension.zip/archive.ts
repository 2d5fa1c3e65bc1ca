/**
 * The browser extension of this instance: the folder of scripts/extension.ts as a ZIP archive. A build may serve several
 * instances, so the address of the instance is written into the manifest when it is served. With it, the first view is filled in,
 * and the browser need not ask for access to the instance. Everything else is constant, so all processes of a version serve the
 * same bytes.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ZipWriter } from "#lib/platform/downloads";

export async function packExtension(folder: string, server: string): Promise<Buffer> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
  const chunks: Uint8Array[] = [];
  const zip = new ZipWriter((chunk) => {
    chunks.push(chunk);
    return Promise.resolve();
  });
  for (const name of files) {
    const content = await readFile(join(folder, name));
    const bytes = name === "manifest.json" ? manifestOf(content.toString(), server) : content;
    // Chromium loads extensions from a folder, which unpacking creates.
    await zip.add(`fuxi-extension/${name.replaceAll("\\", "/")}`, (write) => write(bytes));
  }
  await zip.end();
  return Buffer.concat(chunks);
}

function manifestOf(built: string, server: string): string {
  const own = { homepage_url: server, host_permissions: [`${server}/*`] };
  return `${JSON.stringify({ ...JSON.parse(built), ...own }, undefined, 2)}\n`;
}
