/** Plain JavaScript: scripts/bootstrap.mjs imports it before packages are installed. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = ".fuxi-tools";
const file = join(folder, "durations.json");

/** @returns {Record<string, number>} */
function readDurations() {
  try {
    return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  } catch {
    return {}; // if a start was killed while writing, only the estimate is lost
  }
}

/**
 * Begins a step that takes a long time.
 * @param {string} step names it from start to start
 * @param {string} usual what to say the first time, such as "about a minute"
 */
export function beginStep(step, usual) {
  const seconds = readDurations()[step];
  const startedAt = Date.now();
  return {
    hint: seconds === undefined ? `this takes ${usual}` : `${Math.round(seconds)} s last time`,
    end() {
      mkdirSync(folder, { recursive: true });
      const durations = { ...readDurations(), [step]: (Date.now() - startedAt) / 1_000 };
      writeFileSync(file, JSON.stringify(durations));
    },
  };
}
