/** Plain JavaScript: scripts/bootstrap.mjs imports it before anything is compiled. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The compiled `npm start` (scripts/compile.ts). */
export const launcherFolder = join(".next", "fuxi-launcher");
export const launcherStamp = join(launcherFolder, "inputs.json");

/** @type {Map<string, Buffer>} Within one start, several targets have the same sources. */
const known = new Map();

/** @param {string} file */
function hashFile(file) {
  let hash = known.get(file);
  if (hash === undefined) {
    hash = createHash("sha256").update(readFileSync(file)).digest();
    known.set(file, hash);
  }
  return hash;
}

/**
 * @param {readonly string[]} files
 * @returns {string}
 */
export function hashFiles(files) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${file}\0`).update(hashFile(file));
  return hash.digest("hex");
}

/** @returns {boolean} whether the compiled launcher matches the sources */
export function isLauncherFresh() {
  try {
    const { files, hash } = JSON.parse(readFileSync(launcherStamp, "utf8"));
    return (
      files.every((/** @type {string} */ file) => existsSync(file)) && hashFiles(files) === hash
    );
  } catch {
    return false; // missing, or its compilation was interrupted
  }
}
