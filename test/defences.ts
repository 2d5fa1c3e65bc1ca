/**
 * Defences, each with what removes it from the code below its marker, `// defence: name`. `npm run test:mutation` shows
 * that the test fails without it; `npm run check` that every marker has an entry and every entry a marker.
 */
import { readFileSync } from "node:fs";

export interface Defence {
  /** The name in its marker. */
  name: string;
  /** Its line in docs/security.md. */
  title: string;
  /** The file of the test that fails without it. */
  test: string;
  /** What is replaced, if it is only a piece of the marked code. */
  part?: string;
  /** Code that runs without the defence; empty if it is removed. */
  replacement: string;
}

export const defences: Defence[] = JSON.parse(
  readFileSync(new URL("defences.json", import.meta.url), "utf8"),
);
