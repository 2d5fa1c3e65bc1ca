export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** Shows a theme at once; the server writes it on the next page by itself. */
export function showTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}
