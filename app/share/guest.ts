import { cookies } from "next/headers";
import type { Guest } from "#lib/analytics/shares";
import { getRequestAddress } from "#lib/identity/auth";

export const grantCookie = "fuxi_share";

export async function guestOf(token: string): Promise<Guest> {
  const grant = (await cookies()).get(grantCookie)?.value;
  return { token, grant, address: await getRequestAddress() };
}
