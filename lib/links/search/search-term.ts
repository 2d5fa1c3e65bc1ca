/**
 * The normalized text of a link, and a search term as the index needs it.
 *
 * PostgreSQL’s trigrams consist of ASCII letters and digits here. Characters that are rare in links
 * (Chinese, accents, emoji, unusual signs) are indexed one and two at a time, because Chinese words
 * often have two characters. Other terms, such as one or two letters, are found by reading the
 * newest links.
 */

/** Characters other than ASCII letters, digits and what nearly every URL contains. */
const rareRuns = /[^\sa-z0-9:/.?&=_%#+-]+/gu;
const wordRuns = /[a-z0-9]{3,}/g;
/** Each trigram costs a lookup in each era. This many characters are selective enough. */
const anchorCharsMax = 6;

/** Makes texts equal that only differ in case, full-width letters or the encoding of accents. */
export function foldText(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

export function rareGrams(folded: string): string[] {
  const grams = new Set<string>();
  for (const [run] of folded.matchAll(rareRuns)) {
    const characters = [...run];
    characters.forEach((character, at) => {
      grams.add(character);
      if (at > 0) grams.add(`${characters[at - 1]}${character}`);
    });
  }
  return [...grams];
}

export interface SearchTerm {
  folded: string;
  anchors: string[];
  grams: string[];
}

export function searchTerm(text: string): SearchTerm {
  const folded = foldText(text);
  const words = [...new Set(folded.match(wordRuns))].sort((a, b) => weightOf(b) - weightOf(a));
  return { folded, anchors: chooseAnchors(words), grams: rareGrams(folded) };
}

function chooseAnchors(words: readonly string[]): string[] {
  const anchors: string[] = [];
  let characters = 0;
  for (const word of words) {
    if (characters >= anchorCharsMax) break;
    anchors.push(word.slice(-anchorCharsMax));
    characters += word.length;
  }
  return anchors;
}

/** Numbers are more selective than words, and long words more than short ones. */
function weightOf(word: string): number {
  return word.length + (/\d/.test(word) ? 1_000 : 0);
}
