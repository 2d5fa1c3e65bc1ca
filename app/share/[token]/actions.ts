"use server";

import { cookies } from "next/headers";
import type { FormAnswer } from "#components/forms/form";
import { grantSeconds, unlockShare } from "#lib/analytics/shares";
import { getRequestAddress } from "#lib/identity/auth";
import { config } from "#lib/platform/config";
import { action, formArgument, nameArgument } from "../../action.ts";
import { grantCookie } from "../guest.ts";

export const unlockShareAction = action(
  [nameArgument, formArgument()],
  async (token, data): Promise<FormAnswer<null>> => {
    const password = String(data.get("password") ?? "");
    if (password === "") return { ok: false, fields: { password: "passwordMissing" } };
    const unlocked = await unlockShare(token, password, await getRequestAddress());
    if (!unlocked.ok) {
      if (unlocked.code === "wrong")
        return { ok: false, fields: { password: "sharePasswordWrong" } };
      return { ok: false, form: unlocked.code === "missing" ? "notFound" : "rateLimitExceeded" };
    }
    (await cookies()).set(grantCookie, unlocked.grant, {
      path: `/share/${token}`,
      maxAge: grantSeconds,
      httpOnly: true,
      sameSite: "lax",
      secure: config().FUXI_URL.startsWith("https:"),
    });
    return { ok: true, done: null };
  },
);
