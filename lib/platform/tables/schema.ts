/** The limits of tables in files. */

export const workbookMegabytesMax = 50;
export const rowsMax = 1_000_000;
export const columnsMax = 512;
/** The maximum of a spreadsheet cell. */
export const cellCharsMax = 32_767;
export const rowCharsMax = 262_144;
export const headingCharsMax = 500;
/** Rows that are shown as they are in the file. */
export const firstRowsShown = 5;

export const delimiters = [",", ";", "\t", "|"] as const;

export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
