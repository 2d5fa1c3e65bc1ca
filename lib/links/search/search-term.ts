/**
 * The text of a link as search sees it, and a term as the index sees it.
 *
 * PostgreSQL's trigrams know letters and digits of ASCII here, three in a row. Characters that are rare in links (Chinese,
 * accents, emoji, unusual signs) are indexed one and two at a time: a Chinese word has two characters as often as not.
 * What is left, one or two letters or the signs that every address has, is found by reading the newest links.
 */

/** Neither letters and digits of ASCII nor the signs that stand in nearly every address. */
const rareRuns = /[^\sa-z0-9:/.?&=_%#+-]+/gu;
const wordRuns = /[a-z0-9]{3,}/g;
/** Each trigram costs a look into each era: this many characters tell links apart well enough. */
const anchorCharsMax = 6;

/** One form for texts that look the same: capitals, full-width letters, composed and decomposed accents. */
export function foldText(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

/** Single characters and pairs of the runs of rare characters, each once. */
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
  /** What a text must contain. */
  folded: string;
  /** Parts of it that trigrams can look up. */
  anchors: string[];
  /** Grams that a text with the term has. */
  grams: string[];
}

export function searchTerm(text: string): SearchTerm {
  const folded = foldText(text);
  const words = [...new Set(folded.match(wordRuns))].sort((a, b) => weightOf(b) - weightOf(a));
  return { folded, anchors: chooseAnchors(words), grams: rareGrams(folded) };
}

/** The first words, until they have characters enough. */
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

/** Numbers tell links apart better than words, and long words better than short ones. */
function weightOf(word: string): number {
  return word.length + (/\d/.test(word) ? 1_000 : 0);
}
