/**
 * The URL of a link requested before signing in. It is stored in a cookie, so the server stores nothing for anonymous
 * visitors, and no other site can set it.
 */
import { cookies } from "next/headers";
import { config } from "#lib/platform/config";

const pendingCookie = "begun";
const keptSeconds = 3_600;
/** In the encoding of the cookie. Browsers refuse cookies over 4,096 bytes. */
const bytesMax = 3_500;

/** Returns false if the URL is too long to store. */
export async function storePendingUrl(url: string): Promise<boolean> {
  if (encodeURIComponent(url).length > bytesMax) return false;
  (await cookies()).set(pendingCookie, url, {
    httpOnly: true,
    sameSite: "lax",
    secure: config().FUXI_URL.startsWith("https:"),
    path: "/",
    maxAge: keptSeconds,
  });
  return true;
}

export async function findPendingUrl(): Promise<string | undefined> {
  return (await cookies()).get(pendingCookie)?.value || undefined;
}

/** Only called from actions, because a page cannot delete a cookie. */
export async function takePendingUrl(): Promise<string | undefined> {
  const url = await findPendingUrl();
  if (url !== undefined) (await cookies()).delete(pendingCookie);
  return url;
}
