/** Addresses that people enter, and those of pages. */

/** The origin of an instance; undefined if it isn’t one. */
export function serverOf(entered: string): string | undefined {
  const trimmed = entered.trim();
  if (trimmed === "") return undefined;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url && isWeb(url) && url.username === "" ? url.origin : undefined;
}

/** A URL that can be a destination; undefined for pages of the browser, files and everything else. */
export function webUrlOf(entered: string): string | undefined {
  const trimmed = entered.trim();
  return URL.canParse(trimmed) && isWeb(new URL(trimmed)) ? trimmed : undefined;
}

function isWeb({ protocol }: URL): boolean {
  return protocol === "https:" || protocol === "http:";
}
