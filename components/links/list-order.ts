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
