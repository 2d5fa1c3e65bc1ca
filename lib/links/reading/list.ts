/**
 * Lists of links and their pages.
 *
 * A page is first read as pks, in the requested order; the rows are read afterwards. A cursor is the link at the edge
 * of the neighboring page: by creation its id is its position; in other orders the link is looked up.
 */
import { listRanked } from "./by-clicks.ts";
import { listCreated } from "./by-creation.ts";
import type { LinkFilter } from "./filter.ts";

export interface LinkPage {
  sort: "createdAt" | "clicks" | "lastClicked" | "saleAmount";
  ascending: boolean;
  /** Rows to skip at the start. */
  skip: number;
  size: number;
  cursor: LinkCursor | undefined;
  /** The page ends before the cursor instead of starting after it. */
  backwards: boolean;
}

/** The position of a link in each of the orders. */
export interface LinkCursor {
  pk: number;
  /** uuid */
  id: string;
  clicks: number;
  last_click_at: Date | null;
  sale_amount: number;
}

/** The pks of a page, in the order of the list. */
export async function listPks(filter: LinkFilter, page: LinkPage): Promise<number[]> {
  const ascending = page.ascending !== page.backwards;
  const wanted = { skip: page.skip, limit: page.size, ascending };
  const pks =
    page.sort === "createdAt"
      ? await listCreated(filter, { ...wanted, cursorId: page.cursor?.id, only: undefined })
      : await listRanked(filter, page.sort, wanted, page);
  return page.backwards ? pks.reverse() : pks;
}
