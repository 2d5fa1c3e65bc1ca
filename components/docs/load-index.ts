import type { DocsEntry, DocsIndex } from "./search-index.ts";

const loaded = new Map<string, Promise<DocsIndex>>();

/** The search index of a language. The code and the entries are loaded with the first search. */
export function loadDocsIndex(locale: string): Promise<DocsIndex> {
  const before = loaded.get(locale);
  if (before !== undefined) return before;
  const index = load(locale);
  loaded.set(locale, index);
  // The next search tries again.
  index.catch(() => loaded.delete(locale));
  return index;
}

async function load(locale: string): Promise<DocsIndex> {
  const [{ createDocsIndex }, response] = await Promise.all([
    import("./search-index.ts"),
    fetch(`/docs/search/${locale}`),
  ]);
  if (!response.ok) throw new Error(`The search index answered ${response.status}`);
  const entries: DocsEntry[] = await response.json();
  return createDocsIndex(entries);
}
