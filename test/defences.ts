/**
 * Defences, each with a text of the code that makes it up and a replacement that removes it. `npm run test:mutation`
 * shows that the test fails without it; `npm run check` that every text occurs exactly once.
 */
import { readFileSync } from "node:fs";

export interface Defence {
  name: string;
  file: string;
  text: string;
  /** Valid code without the defence. */
  replacement: string;
  /** The file of the test that fails without it. */
  test: string;
}

export const defences: Defence[] = JSON.parse(
  readFileSync(new URL("defences.json", import.meta.url), "utf8"),
);
