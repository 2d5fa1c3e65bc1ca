/** Parses addresses that people enter, and the URLs of pages. */
import { parseUrl } from "#lib/basics/urls/schema";

/** The origin of an instance; undefined if the text isn’t a valid address. */
export function serverOf(entered: string): string | undefined {
  const trimmed = entered.trim();
  if (trimmed === "") return undefined;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  const url = parseUrl(address);
  return url && isWeb(url) && url.username === "" ? url.origin : undefined;
}

/** A URL that can be a destination; undefined for pages of the browser, files and everything else. */
export function webUrlOf(entered: string): string | undefined {
  const trimmed = entered.trim();
  const url = parseUrl(trimmed);
  return url && isWeb(url) ? trimmed : undefined;
}

function isWeb({ protocol }: URL): boolean {
  return protocol === "https:" || protocol === "http:";
}
