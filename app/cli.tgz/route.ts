/** The command-line program of this instance, as a package that npm and npx install by its URL. */
import { join } from "node:path";
import { config } from "#lib/platform/config";
import { servePacked } from "../packed-program.ts";
import { packCli } from "./archive.ts";

// The address is a setting of the running instance.
export const dynamic = "force-dynamic";

export const GET = servePacked({
  name: "fuxi-cli.tgz",
  type: "application/gzip",
  pack: () => packCli(join(process.cwd(), ".next", "fuxi-cli"), config().FUXI_URL),
});
