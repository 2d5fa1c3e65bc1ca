/** The URL of the table of recipients: its filter, and the positions of its pages. */
import { type RecipientsShown, recipientsShown } from "#components/campaigns/recipients-shown.ts";
import type { SearchParams } from "../../../pages.tsx";

export interface RecipientsView {
  shown: RecipientsShown;
  /** The last position of each earlier page, because the API only pages forward. */
  after: number[];
  /** The parameters of `shown`, for the list and the file. */
  filter: Record<string, string>;
  query: Record<string, string>;
}

/** Going back further than this returns to the start of the list. */
const pagesBack = 50;
const positionMax = 2 ** 31 - 1;

const filters: Readonly<Record<RecipientsShown, Record<string, string>>> = {
  all: {},
  ready: { status: "ready" },
  clicked: { clicked: "true" },
  not_clicked: { clicked: "false" },
  refused: { status: "refused" },
};

export function parseRecipients(searchParams: SearchParams): RecipientsView {
  const shown = recipientsShown.find((one) => one === searchParams["show"]) ?? "all";
  const { after: text } = searchParams;
  const given = typeof text === "string" ? text.split(",").map(Number) : [];
  const isPosition = (one: number) => Number.isInteger(one) && one > 0 && one <= positionMax;
  const after = given.every(isPosition) ? given.slice(-pagesBack) : [];
  const filter = filters[shown];
  return { shown, after, filter, query: { ...filter, startingAfter: String(after.at(-1) ?? 0) } };
}

/** The URLs of the previous and the next page. `last` is the last position of a full page. */
export function neighborsOf(
  path: string,
  { shown, after }: RecipientsView,
  last: number | undefined,
) {
  const address = (positions: readonly number[]) => {
    const params = new URLSearchParams({
      ...(shown === "all" ? {} : { show: shown }),
      ...(positions.length > 0 ? { after: positions.slice(-pagesBack).join(",") } : {}),
    });
    return params.size > 0 ? `${path}?${params}` : path;
  };
  return {
    previous: after.length > 0 ? address(after.slice(0, -1)) : undefined,
    next: last === undefined ? undefined : address([...after, last]),
  };
}
