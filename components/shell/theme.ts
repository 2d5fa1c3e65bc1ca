export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** Applies a theme at once. The server renders it from the next page on. */
export function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}
