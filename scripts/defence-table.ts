/** The table of defences in docs/security.md. */
import { basename } from "node:path";
import type { Defence } from "../test/defences.ts";
import type { Outcome } from "./mutant.ts";

const start = "<!-- table of test:mutation -->\n";
const end = "<!-- end of the table -->";

/** The document with the outcomes of this run, and those of earlier runs for the other defences. */
export function writeDefences(
  text: string,
  list: readonly Defence[],
  files: ReadonlyMap<string, readonly string[]>,
  outcomes: ReadonlyMap<string, Outcome>,
): string {
  const [before = "", rest = ""] = text.split(start);
  const at = rest.indexOf(end);
  const earlier = new Map(readRows(rest.slice(0, at)));
  const rows = list.flatMap(({ name, title, test }) => {
    const outcome = outcomes.get(name);
    const caughtBy = outcome && "caughtBy" in outcome ? outcome.caughtBy : undefined;
    const shown = outcome
      ? `\`${basename(test)}\`: ${escapeCell(caughtBy ?? "none")}`
      : earlier.get(title);
    return shown === undefined ? [] : [`| ${title} | \`${files.get(name)?.[0]}\` | ${shown} |`];
  });
  const head = "| Defence | File | Fails without it |\n| --- | --- | --- |";
  return `${before}${start}\n${[head, ...rows].join("\n")}\n\n${rest.slice(at)}`;
}

function readRows(table: string): [title: string, shown: string][] {
  return table.split("\n").flatMap((line) => {
    const [, title, , shown] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    return title && shown ? [[title, shown]] : [];
  });
}

function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("`", "");
}
