/** The secret of a browser that created links without an account. With it, they are claimed later. */
import { cookies } from "next/headers";
import { newMakerSecret } from "#lib/links/public-links";
import { publicLinkDays } from "#lib/links/public-links/schema";
import { config } from "#lib/platform/config";

const makerCookie = "maker";
const daySeconds = 86_400;

export async function findMakerSecret(): Promise<string | undefined> {
  return (await cookies()).get(makerCookie)?.value;
}

/** The secret of this browser, or a new one, kept as long as its latest link can be claimed. */
export async function keepMakerSecret(): Promise<string> {
  const secret = (await findMakerSecret()) || newMakerSecret();
  (await cookies()).set(makerCookie, secret, {
    httpOnly: true,
    sameSite: "lax",
    secure: config().FUXI_URL.startsWith("https:"),
    path: "/",
    maxAge: publicLinkDays * daySeconds,
  });
  return secret;
}

export async function forgetMakerSecret(): Promise<void> {
  (await cookies()).delete(makerCookie);
}
