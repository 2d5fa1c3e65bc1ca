"use server";

import { cookies } from "next/headers";
import { parseLayout, writeLayout } from "#components/links/list-layout.ts";
import { themes } from "#components/shell/theme.ts";
import { daySeconds } from "#lib/basics/time/schema";
import { findLocale, findZone, localeCookie, zoneCookie } from "#lib/platform/messages";
import { nameArgument, plainAction } from "./action.ts";
import { listLayoutCookie, themeCookie } from "./preferences.ts";

const year = { maxAge: 365 * daySeconds, path: "/", sameSite: "lax", httpOnly: true } as const;

export const chooseTheme = plainAction([nameArgument], undefined, async (theme): Promise<void> => {
  const known = themes.find((name) => name === theme);
  if (known) (await cookies()).set(themeCookie, known, year);
});

export const chooseListLayout = plainAction(
  [nameArgument],
  undefined,
  async (layout): Promise<void> => {
    (await cookies()).set(listLayoutCookie, writeLayout(parseLayout(layout)), year);
  },
);

export const chooseLocale = plainAction(
  [nameArgument],
  undefined,
  async (locale): Promise<void> => {
    const known = findLocale(locale);
    if (known) (await cookies()).set(localeCookie, known, year);
  },
);

/** Browsers send no header with their zone, so the page reports it. */
export const storeZone = plainAction([nameArgument], undefined, async (zone): Promise<void> => {
  const known = findZone(zone);
  if (known) (await cookies()).set(zoneCookie, known, year);
});
