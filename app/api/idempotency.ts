/** Calls with an Idempotency-Key, which create nothing twice when they are repeated. */
import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { z } from "@hono/zod-openapi";
import type { CreateOptions } from "#lib/links/creating";
import type { ApiContext } from "./router.ts";

const keyCharsMax = 255;
const header = "idempotency-key";
/** Rows hashed in one turn of the event loop. */
const rowsPerTurn = 500;

export const idempotencyHeader = z.object({
  [header]: z.string().min(1).max(keyCharsMax).optional().openapi({
    description:
      "A unique value for each request. Repeating a request with the same value within 24 hours doesn’t create anything twice.",
  }),
});

/** The key of a call that creates links from these rows, or undefined. */
export async function idempotencyOf(
  c: ApiContext,
  rows: readonly unknown[],
): Promise<CreateOptions["repeat"]> {
  const key = c.req.header(header);
  if (key === undefined) return undefined;
  const request = createHash("sha256");
  for (let at = 0; at < rows.length; at += rowsPerTurn) {
    if (at > 0) await setImmediate();
    for (const row of rows.slice(at, at + rowsPerTurn)) request.update(`${JSON.stringify(row)}\n`);
  }
  const name = createHash("sha256").update(`${c.req.path}\n${key}`);
  return { digest: uuidDigits(name.digest("hex")), request: uuidDigits(request.digest("hex")) };
}

/** 128 bits are enough to distinguish calls. */
function uuidDigits(digest: string): string {
  return digest.slice(0, 32);
}
