/**
 * Search over the documentation, in the browser and on the server. The index is built when somebody searches: a few hundred
 * entries take some milliseconds, and no other server is needed.
 */
import MiniSearch from "minisearch";

export interface DocsEntry {
  href: string;
  page: string;
  title: string;
  text: string;
}

export type DocsIndex = (text: string, max: number) => DocsEntry[];

const run = /\p{Script=Han}+|[\p{L}\p{N}_]+/gu;
const han = /^\p{Script=Han}/u;

/**
 * Splits text into words, and Chinese text into pairs of neighboring characters. Chinese has no spaces, and pairs find every word
 * without a dictionary.
 */
export function docsTokens(text: string): string[] {
  // Separates Han characters first, because they also count as letters.
  const separated = text.normalize("NFKC").replace(/\p{Script=Han}+/gu, " $& ");
  return [...separated.toLowerCase().matchAll(run)].flatMap(([word]) => {
    if (!han.test(word) || word.length < 3) return [word];
    const signs = [...word];
    return signs.slice(1).map((sign, at) => `${signs[at]}${sign}`);
  });
}

const fuzzyCharsMin = 5;

export function createDocsIndex(entries: readonly DocsEntry[]): DocsIndex {
  const index = new MiniSearch<DocsEntry & { id: number }>({
    fields: ["title", "page", "text"],
    tokenize: docsTokens,
    processTerm: (term) => term,
    searchOptions: {
      boost: { title: 4, page: 2 },
      combineWith: "AND",
      prefix: true,
      fuzzy: (term) => (term.length >= fuzzyCharsMin && !han.test(term) ? 0.2 : false),
    },
  });
  index.addAll(entries.map((entry, id) => ({ ...entry, id })));
  return (text, max) =>
    index
      .search(text)
      .slice(0, max)
      .flatMap(({ id }) => entries[id] ?? []);
}
