import { join } from "node:path";
import { config } from "#lib/platform/config";
import { servePacked } from "../packed-program.ts";
import { packExtension } from "./archive.ts";

// The address is a setting of the running instance.
export const dynamic = "force-dynamic";

export const GET = servePacked({
  name: "fuxi-extension.zip",
  type: "application/zip",
  pack: () => packExtension(join(process.cwd(), ".next", "fuxi-extension"), config().FUXI_URL),
});
