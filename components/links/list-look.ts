/** How a person wants lists of links drawn. Kept in a cookie, so that the server draws it at once. */

export const views = ["rows", "cards"] as const;
export type View = (typeof views)[number];

export const densities = ["comfortable", "compact"] as const;
export type Density = (typeof densities)[number];

export interface ListLook {
  view: View;
  density: Density;
}

/** As it stands in the cookie: `rows.compact`. Whatever is unknown is as usual. */
export function parseLook(text: string | undefined): ListLook {
  const [view, density] = (text ?? "").split(".");
  return {
    view: views.find((name) => name === view) ?? "rows",
    density: densities.find((name) => name === density) ?? "comfortable",
  };
}

export function writeLook({ view, density }: ListLook): string {
  return `${view}.${density}`;
}
