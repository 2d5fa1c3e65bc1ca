/**
 * One import, in a process of its own that the worker starts for it: clicks are counted meanwhile as if nobody imported
 * anything, and what the rows took of memory is given back with the process. Ends when the worker ends.
 */

import { openLinks } from "#lib/links/creating";
import { openCoherence } from "#lib/platform/cache-sync";
import { configOrExit } from "#lib/platform/config";
import { closeAll, superviseProcess } from "#lib/platform/shutdown";
import { openInstallation } from "#lib/platform/startup-checks";
import { runImport } from "#lib/transfer/imports";

superviseProcess();
configOrExit();
await openInstallation();
// Hears of domains that change; a deaf process asks for each of them again twice a second.
openCoherence();
await openLinks();
const [, , id = ""] = process.argv;
try {
  await runImport(id);
} finally {
  await closeAll();
}
// The channel to the worker would keep it alive.
process.exit(0);
