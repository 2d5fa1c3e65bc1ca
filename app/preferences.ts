import { cookies } from "next/headers";
import { type Theme, themes } from "../components/shell/theme.ts";

export const themeCookie = "theme";

/** The theme that the person chose; "system" until they did. */
export async function getTheme(): Promise<Theme> {
  const chosen = (await cookies()).get(themeCookie)?.value;
  return themes.find((theme) => theme === chosen) ?? "system";
}
