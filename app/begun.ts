/**
 * An address that somebody wanted to shorten before they signed in. It waits in a cookie of their browser, so the server
 * keeps nothing for whoever is nobody yet, and no other site can put one there.
 */
import { cookies } from "next/headers";
import { config } from "#lib/platform/config";

const begunCookie = "begun";
const keptSeconds = 3_600;
/** As the cookie writes it: browsers refuse more than 4,096 bytes. */
const bytesMax = 3_500;

/** False: the address is too long to wait. */
export async function keepBegun(url: string): Promise<boolean> {
  if (encodeURIComponent(url).length > bytesMax) return false;
  (await cookies()).set(begunCookie, url, {
    httpOnly: true,
    sameSite: "lax",
    secure: config().FUXI_URL.startsWith("https:"),
    path: "/",
    maxAge: keptSeconds,
  });
  return true;
}

export async function findBegun(): Promise<string | undefined> {
  return (await cookies()).get(begunCookie)?.value || undefined;
}

/** In an action: a page cannot take a cookie back. */
export async function takeBegun(): Promise<string | undefined> {
  const url = await findBegun();
  if (url !== undefined) (await cookies()).delete(begunCookie);
  return url;
}
