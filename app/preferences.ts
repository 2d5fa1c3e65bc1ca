import { cookies } from "next/headers";
import { type ListLook, parseLook } from "../components/links/list-look.ts";
import { type Theme, themes } from "../components/shell/theme.ts";

export const listLookCookie = "links";
export const themeCookie = "theme";

/** The chosen theme; "system" by default. */
export async function getTheme(): Promise<Theme> {
  const chosen = (await cookies()).get(themeCookie)?.value;
  return themes.find((theme) => theme === chosen) ?? "system";
}

/** The chosen layout of link lists. */
export async function getListLook(): Promise<ListLook> {
  return parseLook((await cookies()).get(listLookCookie)?.value);
}
