/** The worker: every queue of this installation. */
import { constants, setPriority } from "node:os";
import { accountJobs } from "#lib/accounts";
import { openCoherence } from "#lib/coherence";
import { configOrExit } from "#lib/config";
import { domainJobs } from "#lib/domains";
import { folderJobs } from "#lib/folders";
import { serve } from "#lib/http";
import { importJobs } from "#lib/imports";
import { ingestAll, ingestJobs, openIngest } from "#lib/ingest";
import { openInstallation, storeChecks } from "#lib/installation";
import { onClose, reportReady, superviseProcess } from "#lib/lifetime";
import { linkJobs, openLinks } from "#lib/links";
import { startWorkers, stopWorkers } from "#lib/queue";
import { removalJobs } from "#lib/removal";
import { rollupJobs } from "#lib/rollups";
import { takeoutJobs } from "#lib/takeout";

superviseProcess();
// Visitors do not wait for what is done here: on a machine that all share, whoever answers them goes first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const config = configOrExit();
await openInstallation();
openCoherence();
await openIngest();
await openLinks();
// The front has flushed when the worker is asked to end: a last look leaves nothing in the stream.
onClose("last ingest", ingestAll);
onClose("queues", stopWorkers);
await startWorkers([
  ...ingestJobs,
  ...rollupJobs,
  ...linkJobs,
  ...folderJobs,
  ...domainJobs,
  ...accountJobs,
  ...removalJobs,
  ...takeoutJobs,
  ...importJobs,
]);
if (config.FUXI_WORKER_PORT > 0) {
  await serve({
    port: config.FUXI_WORKER_PORT,
    host: "127.0.0.1",
    onRequest: (_req, res) => res.writeHead(404).end(),
    checks: storeChecks,
  });
}
reportReady();
