import type { PageQuery } from "../pages.tsx";

/** The token from an email; undefined for anything else. */
export async function tokenIn({ searchParams }: PageQuery): Promise<string | undefined> {
  const { token } = await searchParams;
  return typeof token === "string" && /^[\w-]{43}$/.test(token) ? token : undefined;
}
