/** What stands in the address of a page. */
export interface PageQuery {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The token of a letter; undefined for everything that is none. */
export async function tokenIn({ searchParams }: PageQuery): Promise<string | undefined> {
  const { token } = await searchParams;
  return typeof token === "string" && /^[\w-]{43}$/.test(token) ? token : undefined;
}
