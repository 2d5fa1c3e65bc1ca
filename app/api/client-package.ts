/**
 * The typed client as a package that npm installs by its URL, `/api/sdk.tgz`: the bundle of scripts/sdk.ts, and the types of
 * the API of this version. Mounted before authentication.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { servePacked } from "../packed-program.ts";
import { packTarball } from "../tarball.ts";
import { newRouter } from "./router.ts";

const folder = join(process.cwd(), ".next", "fuxi-sdk");

export function openClientPackage(printTypes: () => string) {
  const serve = servePacked({
    name: "fuxi-sdk.tgz",
    type: "application/gzip",
    pack: async () => {
      const names = (await readdir(folder)).sort();
      const files = names.map(async (name) => ({
        name,
        bytes: await readFile(join(folder, name)),
      }));
      const types = { name: "api.d.mts", bytes: Buffer.from(printTypes()) };
      return await packTarball([types, ...(await Promise.all(files))]);
    },
  });
  const router = newRouter();
  router.get("/sdk.tgz", (c) => serve(c.req.raw));
  return router;
}
