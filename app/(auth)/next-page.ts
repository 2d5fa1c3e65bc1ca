/** The page after signing in: the dashboard or a page linked in an email, never another site. */
export function pageAfter(requested: string | string[] | undefined): string {
  const own = /^(\/app(\/[\w.-]+)*|\/signin\/connect|\/(invite|verify)\?token=[\w-]{43})$/;
  return typeof requested === "string" && own.test(requested) ? requested : "/app";
}
