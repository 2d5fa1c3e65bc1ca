/** The pages of an importer as the file of an import: one row per link, the oldest first. */
import { csvLine } from "#lib/platform/downloads";
import { type FieldName, fieldNames, type ImportSource } from "#lib/transfer/imports/schema";
import { unsealPage } from "./secrets.ts";
import { type Counts, getPage, type ImporterRow } from "./store.ts";
import type { FoundLink } from "./systems/reading.ts";

/** More are not listed. */
const domainsMax = 200;

/** The counts with those of one more page. */
export function countLinks(before: Counts, links: readonly FoundLink[]): Counts {
  const domains = { ...before.domains };
  const leftOut = { ...before.leftOut };
  const fields = { ...before.fields };
  for (const { cells, leftOut: without } of links) {
    const { domain = "" } = cells;
    if (Object.hasOwn(domains, domain) || Object.keys(domains).length < domainsMax) {
      domains[domain] = (domains[domain] ?? 0) + 1;
    }
    // A link with two rules that do not come along counts once.
    for (const key of new Set(without.map((one) => `${one.property} ${one.reason}`))) {
      leftOut[key] = (leftOut[key] ?? 0) + 1;
    }
    for (const field of Object.keys(cells)) fields[field] = true;
  }
  return { domains, leftOut, fields };
}

const reasons = ["unsupported", "not_given", "shortened", "turned_off"] as const;

/** What an import says about where it comes from. */
export function sourceOf({ system, counts }: Pick<ImporterRow, "system" | "counts">): ImportSource {
  const domains = Object.entries(counts.domains ?? {})
    .map(([domain, links]) => ({ domain, links }))
    .sort((one, other) => other.links - one.links);
  const leftOut = Object.entries(counts.leftOut ?? {}).flatMap(([key, links]) => {
    const [property = "", given] = key.split(" ");
    const reason = reasons.find((one) => one === given);
    return reason ? [{ property, reason, links }] : [];
  });
  return { system, domains, leftOut };
}

/** The file, read page by page. */
export function fileOf(row: ImporterRow, newestFirst: boolean): ReadableStream<Uint8Array> {
  const lines = linesOf(row, newestFirst);
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

function isFirst(seen: Set<string>, name: string): boolean {
  if (seen.has(name)) return false;
  seen.add(name);
  return true;
}

async function* linesOf(row: ImporterRow, newestFirst: boolean): AsyncGenerator<Uint8Array> {
  const has = row.counts.fields ?? {};
  const fields: FieldName[] = fieldNames.filter((field) => has[field]);
  yield Buffer.from(csvLine(fields));
  // Pages shift while links are created there: the same link may be on two of them.
  const seen = new Set<string>();
  for (let at = 0; at < row.pages; at++) {
    const number = newestFirst ? row.pages - 1 - at : at;
    const links = await unsealPage(row.id, await getPage(row.id, number));
    if (newestFirst) links.reverse();
    const others = links.filter((cells) => isFirst(seen, cells.originShortLink ?? ""));
    const lines = others.map((cells) => csvLine(fields.map((field) => cells[field] ?? "")));
    if (lines.length > 0) yield Buffer.from(lines.join(""));
  }
}
