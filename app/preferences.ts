import { cookies } from "next/headers";
import { type ListLook, parseLook } from "../components/links/list-look.ts";
import { type Theme, themes } from "../components/shell/theme.ts";

export const listLookCookie = "links";
export const themeCookie = "theme";

/** The theme that the person chose; "system" until they did. */
export async function getTheme(): Promise<Theme> {
  const chosen = (await cookies()).get(themeCookie)?.value;
  return themes.find((theme) => theme === chosen) ?? "system";
}

/** How the person wants their lists of links drawn. */
export async function getListLook(): Promise<ListLook> {
  return parseLook((await cookies()).get(listLookCookie)?.value);
}
