/** The phones in a text: one per line, or in the first cell of each row of a table. */

const separator = /[,;\t]/;
const digitsMin = 5;

/** Lines without enough digits for a phone, such as a heading, are left out. */
export function phonesOf(text: string): string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => unquoted(line.replace(/^\u{feff}/u, "").split(separator)[0] ?? ""))
    .filter((cell) => cell.replace(/\D/g, "").length >= digitsMin);
}

function unquoted(cell: string): string {
  const plain = cell.trim();
  const inner = /^"(.*)"$/.exec(plain)?.[1] ?? plain;
  // Exports for spreadsheets add this apostrophe, so that a leading + does not make a formula.
  return inner.replace(/^'/, "").trim();
}

export function slicesOf<Item>(items: readonly Item[], size: number): Item[][] {
  const slices: Item[][] = [];
  for (let at = 0; at < items.length; at += size) slices.push(items.slice(at, at + size));
  return slices;
}
