/** The layout of link lists. Stored in a cookie, so that the server renders it at once. */

export const views = ["rows", "cards"] as const;
export type View = (typeof views)[number];

export const densities = ["comfortable", "compact"] as const;
export type Density = (typeof densities)[number];

/** The columns of rows that can be hidden, from left to right. */
export const columns = ["tags", "folder", "creator", "created", "lastClicked", "clicks"] as const;
export type Column = (typeof columns)[number];

const usualColumns: readonly Column[] = ["tags", "folder", "creator", "created", "clicks"];

export interface ListLayout {
  view: View;
  density: Density;
  columns: readonly Column[];
  /** Shows the folders next to the list, where there is room. */
  folders: boolean;
}

/** The format of the cookie: `rows.compact.tags-clicks.folders`. Unknown and missing values become the default. */
export function parseLayout(text: string | undefined): ListLayout {
  const [view, density, chosen, beside] = (text ?? "").split(".");
  const names = chosen?.split("-");
  return {
    view: views.find((name) => name === view) ?? "rows",
    density: densities.find((name) => name === density) ?? "comfortable",
    columns: names ? columns.filter((name) => names.includes(name)) : usualColumns,
    folders: beside !== "alone",
  };
}

export function writeLayout({ view, density, columns: chosen, folders }: ListLayout): string {
  return [view, density, chosen.join("-"), folders ? "folders" : "alone"].join(".");
}

export function columnsWith(chosen: readonly Column[], column: Column, on: boolean): Column[] {
  return columns.filter((name) => (name === column ? on : chosen.includes(name)));
}

/** The sort orders of links, the default first. Of each pair with a direction, the first one is what a column starts with. */
export const orders = [
  { name: "newest", sortBy: "createdAt", sortOrder: "desc" },
  { name: "oldest", sortBy: "createdAt", sortOrder: "asc" },
  { name: "clicks", sortBy: "clicks", sortOrder: "desc" },
  { name: "fewestClicks", sortBy: "clicks", sortOrder: "asc" },
  { name: "lastClicked", sortBy: "lastClicked", sortOrder: "desc" },
  { name: "leastRecent", sortBy: "lastClicked", sortOrder: "asc" },
] as const;

export type Order = (typeof orders)[number];

/** Unknown values become the default order. */
export function orderOf(name: string | null | undefined): Order {
  return orders.find((order) => order.name === name) ?? orders[0];
}

/** The order after a click on the heading of a column: its first one, or the other direction. */
export function orderAfter(order: Order, sortBy: Order["sortBy"]): Order {
  const isOther = (one: Order) => one.sortBy === sortBy && one.name !== order.name;
  return orders.find(isOther) ?? order;
}
