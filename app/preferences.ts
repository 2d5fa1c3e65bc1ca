import { cookies } from "next/headers";
import { type ListLayout, parseLayout } from "#components/links/list-layout.ts";
import { type Theme, themes } from "#components/shell/theme.ts";

export const listLayoutCookie = "links";
export const themeCookie = "theme";

export async function getTheme(): Promise<Theme> {
  const chosen = (await cookies()).get(themeCookie)?.value;
  return themes.find((theme) => theme === chosen) ?? "system";
}

export async function getListLayout(): Promise<ListLayout> {
  return parseLayout((await cookies()).get(listLayoutCookie)?.value);
}
