export const pageSizes = [25, 50, 100] as const;
export type PageSize = (typeof pageSizes)[number];

export const usualPageSize: PageSize = 50;

/** Unknown values become the usual size. */
export function pageSizeOf(text: string | null): PageSize {
  return pageSizes.find((size) => String(size) === text) ?? usualPageSize;
}

/** Rows in the HTML of a page, more than fit on a screen. The browser adds the others. */
export const htmlRows = 12;
