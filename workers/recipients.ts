/** One source of recipients, in a process that the worker starts for it. Ends with the worker. */

import { openLinks } from "#lib/links/creating";
import { runSource } from "#lib/outreach/sources";
import { openCoherence } from "#lib/platform/cache-sync";
import { configOrExit } from "#lib/platform/config";
import { closeAll, superviseProcess } from "#lib/platform/shutdown";
import { openInstance } from "#lib/platform/startup-checks";

superviseProcess();
configOrExit();
await openInstance();
// Subscribes to domain changes; without it, each domain is looked up again twice a second.
openCoherence();
await openLinks();
const [, , id = ""] = process.argv;
try {
  await runSource(id);
} finally {
  await closeAll();
}
// The channel to the worker would keep it running.
process.exit(0);
