/** For tests: CSV, parsed independently of the code that writes it. */

/** The rows of a CSV file by the names of its columns; throws for an invalid one. */
export function readCsv(text: string): Record<string, string>[] {
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  const lines: string[][] = [[]];
  const body = text.replace(/^\u{feff}/u, "");
  while (cell.lastIndex < body.length) {
    const at = cell.lastIndex;
    const [, quoted, plain = "", end] = cell.exec(body) ?? [];
    if (end === undefined) throw new Error(`No cell at ${at}: ${body.slice(at, at + 80)}`);
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === "\r\n") lines.push([]);
  }
  const [names = [], ...rows] = lines.slice(0, -1);
  for (const row of rows) {
    if (row.length !== names.length) throw new Error(`A line has ${row.length} cells: ${row}`);
  }
  return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? ""])));
}
