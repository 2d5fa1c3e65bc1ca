/** Responses of bulk calls, written in parts because serializing ten thousand links takes a long time. */
import { setImmediate } from "node:timers/promises";
import type { RowOutcome } from "#lib/links/creating";
import type { LeftLink } from "#lib/links/editing";
import { type LinkWithContext, presentBriefly, presentLink } from "#lib/links/presenting";
import { AppError } from "#lib/platform/errors";
import { errorCodeOf } from "./link-errors.ts";
import type { ApiContext } from "./router.ts";

/** Links serialized in one turn of the event loop. */
const linksPerPart = 100;
const retryAfterSeconds = 2;

/** When nothing could be saved because of an outage, the whole call fails and can be repeated. */
export function assertSomeSaved(outcomes: readonly RowOutcome[]): void {
  const [first] = outcomes;
  if (first?.ok !== false || first.code !== "unavailable") return;
  if (outcomes.every((outcome) => !outcome.ok && outcome.code === "unavailable")) {
    throw new AppError("service_unavailable", first.message, { retryAfterSeconds });
  }
}

/** The edited links, then those that were left unchanged. */
export function* presentEdited(
  shown: readonly LinkWithContext[],
  left: readonly LeftLink[],
): Generator<unknown> {
  for (const { row, context } of shown) yield presentLink(row, context);
  for (const one of left) yield presentLeft(one);
}

export function presentLeft({ link, code, message }: LeftLink) {
  return { link, error: message, code: errorCodeOf(code) };
}

/** The links in the order of their rows, then the failures. */
export function* presentRows(
  rows: readonly unknown[],
  outcomes: readonly RowOutcome[],
  briefly: boolean,
): Generator<unknown> {
  const present = briefly ? presentBriefly : presentLink;
  for (const outcome of outcomes) if (outcome.ok) yield present(outcome.row, outcome.context);
  for (const [at, outcome] of outcomes.entries()) {
    if (outcome.ok) continue;
    yield { link: rows[at], error: outcome.message, code: errorCodeOf(outcome.code) };
  }
}

/** A list as JSON, written in parts. */
export function respondInParts(c: ApiContext, items: Iterator<unknown>) {
  const encoder = new TextEncoder();
  let opened = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await setImmediate();
      let text = opened ? "" : "[";
      for (let count = 0; count < linksPerPart; count++) {
        const next = items.next();
        if (next.done) {
          controller.enqueue(encoder.encode(`${text}]`));
          controller.close();
          return;
        }
        if (opened) text += ",";
        opened = true;
        text += JSON.stringify(next.value);
      }
      controller.enqueue(encoder.encode(text));
    },
  });
  c.header("Content-Type", "application/json");
  return c.body(body, 200);
}
