/**
 * The attacks that Fuxi has to withstand, each with the tests that carry it out. `npm run test:security` runs them and
 * prints a report; `npm test` fails when one of them has no test that ran. docs/security.md explains the defences.
 */
import { readFileSync } from "node:fs";

export interface Attack {
  name: string;
  /** What was tried. */
  inputs: string;
  defence: string;
  /** A file, or a file and a part of test names: `file > name`. */
  tests: string[];
}

export const attacks: Attack[] = JSON.parse(
  readFileSync(new URL("attacks.json", import.meta.url), "utf8"),
);
