import { hash } from "node:crypto";
import { isWork } from "#lib/links/public-links/schema";

/** The proof of work that the browser would send. */
export function workOn(challenge: string): string {
  for (let number = 0; ; number++) {
    const work = `${challenge}.${number}`;
    if (isWork(hash("sha256", work, "buffer"))) return work;
  }
}
