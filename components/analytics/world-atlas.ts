import type { GeometryCollection, Topology } from "topojson-specification";

export type Atlas = Topology<{ countries: GeometryCollection }>;

/** Sound because the file comes with the package that defines this format; TypeScript types JSON less strictly. */
export function readAtlas(file: unknown): Atlas {
  return file as Atlas;
}
