/**
 * The operator's legal texts: Markdown in the folder `legal` of the data folder, `terms.md`, `privacy.md` and
 * `imprint.md`, each also in Chinese as `terms.zh.md` and so on.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { config } from "#lib/platform/config";
import type { Locale } from "#lib/platform/messages/schema";

export const legalPages = ["terms", "privacy", "imprint"] as const;
export type LegalPage = (typeof legalPages)[number];

/** Undefined: there is none. In the language of the reader, otherwise in the existing one. */
export async function findLegalText(page: LegalPage, locale: Locale): Promise<string | undefined> {
  const folder = join(config().FUXI_DATA_DIR, "legal");
  const names = locale === "en" ? [page] : [`${page}.${locale}`, page];
  for (const name of names) {
    const text = await readFile(join(folder, `${name}.md`), "utf8").catch(orMissing);
    if (text !== undefined && text.trim() !== "") return text;
  }
  return undefined;
}

function orMissing(error: unknown): undefined {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  throw error;
}
