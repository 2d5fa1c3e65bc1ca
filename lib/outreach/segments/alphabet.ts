/** The GSM 03.38 alphabet with its extension table, and replacements for other characters. */

const basic =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
/** Sent as two characters: an escape and the character itself. */
const extension = "\f^{}\\[~]|€";

/** A typed array, because messages are counted by the million. */
const unitsOfCode = new Uint8Array("€".charCodeAt(0) + 1);
for (const char of basic) unitsOfCode[char.charCodeAt(0)] = 1;
for (const char of extension) unitsOfCode[char.charCodeAt(0)] = 2;

/** The septets of a UTF-16 unit; 0 if it is not in the alphabet. */
export function septetsOf(code: number): number {
  return unitsOfCode[code] ?? 0;
}

export function isGsm(char: string): boolean {
  return char.length === 1 && septetsOf(char.charCodeAt(0)) > 0;
}

/** Word processors and input methods insert these in place of plain characters. */
const replacements: Readonly<Record<string, string>> = {
  "\u2010": "-",
  "\u2011": "-",
  "\u2012": "-",
  "\u2013": "-",
  "\u2014": "-",
  "\u2015": "-",
  "\u2212": "-",
  "\u2018": "'",
  "\u2019": "'",
  "\u201a": "'",
  "\u201b": "'",
  "\u2032": "'",
  "\u0060": "'",
  "\u00b4": "'",
  "\u201c": '"',
  "\u201d": '"',
  "\u201e": '"',
  "\u201f": '"',
  "\u2033": '"',
  "\u00ab": '"',
  "\u00bb": '"',
  "\u2039": "<",
  "\u203a": ">",
  "\u2026": "...",
  "\u2022": "-",
  "\u00b7": ".",
  "\u00d7": "x",
  "\u2044": "/",
  "\u0009": " ",
  "\u00a0": " ",
  "\u2000": " ",
  "\u2001": " ",
  "\u2002": " ",
  "\u2003": " ",
  "\u2004": " ",
  "\u2005": " ",
  "\u2006": " ",
  "\u2007": " ",
  "\u2008": " ",
  "\u2009": " ",
  "\u200a": " ",
  "\u202f": " ",
  "\u3000": " ",
  "\u2028": "\n",
  "\u2029": "\n",
  "\u00ad": "",
  "\u200b": "",
  "\u200c": "",
  "\u2060": "",
  "\ufeff": "",
  "\u3001": ",",
  "\u3002": ".",
  "\u3010": "[",
  "\u3011": "]",
};

const fullWidthFirst = 0xff01;
const fullWidthLast = 0xff5e;
const fullWidthShift = 0xfee0;

/** Characters of the alphabet that replace this one; undefined if nothing can. */
export function replacementOf(char: string): string | undefined {
  const listed = Object.hasOwn(replacements, char) ? replacements[char] : undefined;
  if (listed !== undefined) return listed;
  const code = char.codePointAt(0) ?? 0;
  if (code < fullWidthFirst || code > fullWidthLast) return undefined;
  const plain = String.fromCharCode(code - fullWidthShift);
  return isGsm(plain) ? plain : replacements[plain];
}
