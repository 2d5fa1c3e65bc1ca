import type { GeometryCollection, Topology } from "topojson-specification";

export type Atlas = Topology<{ countries: GeometryCollection }>;

/** Sound because the file comes with the package, whose format is this; TypeScript reads JSON less strictly. */
export function readAtlas(file: unknown): Atlas {
  return file as Atlas;
}
