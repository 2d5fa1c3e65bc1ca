/** The layout of link lists. Stored in a cookie, so that the server renders it at once. */

export const views = ["rows", "cards"] as const;
export type View = (typeof views)[number];

export const densities = ["comfortable", "compact"] as const;
export type Density = (typeof densities)[number];

export interface ListLayout {
  view: View;
  density: Density;
}

/** The format of the cookie: `rows.compact`. Unknown values become the default. */
export function parseLayout(text: string | undefined): ListLayout {
  const [view, density] = (text ?? "").split(".");
  return {
    view: views.find((name) => name === view) ?? "rows",
    density: densities.find((name) => name === density) ?? "comfortable",
  };
}

export function writeLayout({ view, density }: ListLayout): string {
  return `${view}.${density}`;
}
