/**
 * Pages of links. A page is first read as pks in the requested order, then as rows. A cursor is the
 * link at the edge of the neighboring page: by creation its id is its position, in other orders the
 * link is looked up.
 */
import { listRanked } from "./by-clicks.ts";
import { listCreated } from "./by-creation.ts";
import type { LinkFilter } from "./filter.ts";

export interface LinkPage {
  sort: "createdAt" | "clicks" | "lastClicked" | "saleAmount";
  ascending: boolean;
  skip: number;
  size: number;
  cursor: LinkCursor | undefined;
  /** The page ends before the cursor instead of starting after it. */
  backwards: boolean;
}

/** The position of a link in each of the orders. */
export interface LinkCursor {
  pk: number;
  id: string;
  clicks: number;
  last_click_at: Date | null;
  sale_amount: number;
}

export async function listPks(filter: LinkFilter, page: LinkPage): Promise<number[]> {
  const ascending = page.ascending !== page.backwards;
  const wanted = { skip: page.skip, limit: page.size, ascending };
  const pks =
    page.sort === "createdAt"
      ? await listCreated(filter, { ...wanted, cursorId: page.cursor?.id, only: undefined })
      : await listRanked(filter, page.sort, wanted, page);
  return page.backwards ? pks.reverse() : pks;
}
