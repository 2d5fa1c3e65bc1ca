"use server";

import { cookies } from "next/headers";
import { findLocale, findZone, localeCookie, zoneCookie } from "#lib/platform/messages";
import { parseLayout, writeLayout } from "../components/links/list-layout.ts";
import { themes } from "../components/shell/theme.ts";
import { listLayoutCookie, themeCookie } from "./preferences.ts";

const year = { maxAge: 365 * 86_400, path: "/", sameSite: "lax", httpOnly: true } as const;

export async function chooseTheme(theme: string): Promise<void> {
  const known = themes.find((name) => name === theme);
  if (known) (await cookies()).set(themeCookie, known, year);
}

export async function chooseListLayout(layout: string): Promise<void> {
  (await cookies()).set(listLayoutCookie, writeLayout(parseLayout(layout)), year);
}

export async function chooseLocale(locale: string): Promise<void> {
  const known = findLocale(locale);
  if (known) (await cookies()).set(localeCookie, known, year);
}

/** Browsers send no header with their zone, so the page reports it. */
export async function storeZone(zone: string): Promise<void> {
  const known = findZone(zone);
  if (known) (await cookies()).set(zoneCookie, known, year);
}
