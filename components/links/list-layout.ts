/** The layout of link lists. Stored in a cookie, so that the server renders it at once. */

export const views = ["rows", "cards"] as const;
export type View = (typeof views)[number];

export const densities = ["comfortable", "compact"] as const;
export type Density = (typeof densities)[number];

export interface ListLayout {
  view: View;
  density: Density;
}

/** The format of the cookie: `rows.compact`. Unknown values become the default. */
export function parseLayout(text: string | undefined): ListLayout {
  const [view, density] = (text ?? "").split(".");
  return {
    view: views.find((name) => name === view) ?? "rows",
    density: densities.find((name) => name === density) ?? "comfortable",
  };
}

export function writeLayout({ view, density }: ListLayout): string {
  return `${view}.${density}`;
}

/** The sort orders of links, the default first. */
export const orders = [
  { name: "newest", sortBy: "createdAt", sortOrder: "desc" },
  { name: "oldest", sortBy: "createdAt", sortOrder: "asc" },
  { name: "clicks", sortBy: "clicks", sortOrder: "desc" },
  { name: "lastClicked", sortBy: "lastClicked", sortOrder: "desc" },
] as const;

export type Order = (typeof orders)[number];

/** Unknown values become the default order. */
export function orderOf(name: string | null | undefined): Order {
  return orders.find((order) => order.name === name) ?? orders[0];
}
