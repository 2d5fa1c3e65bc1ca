/** The reader of each system. */
import type { SystemName } from "../schema.ts";
import { bitly } from "./bitly.ts";
import { dub } from "./dub.ts";
import type { System } from "./reading.ts";
import { rebrandly } from "./rebrandly.ts";
import { shlink } from "./shlink.ts";
import { shortIo } from "./short-io.ts";
import { yourls } from "./yourls.ts";

export const readers: Readonly<Record<SystemName, System>> = {
  bitly,
  "short-io": shortIo,
  rebrandly,
  dub,
  yourls,
  shlink,
};
