/** The worker: every queue of this installation. */
import { openCoherence } from "#lib/coherence";
import { configOrExit } from "#lib/config";
import { domainJobs } from "#lib/domains";
import { folderJobs } from "#lib/folders";
import { ingestAll, ingestJobs, openIngest } from "#lib/ingest";
import { openInstallation } from "#lib/installation";
import { onClose, reportReady, superviseProcess } from "#lib/lifetime";
import { linkJobs, openLinks } from "#lib/links";
import { startWorkers, stopWorkers } from "#lib/queue";
import { rollupJobs } from "#lib/rollups";

superviseProcess();
configOrExit();
await openInstallation();
openCoherence();
await openIngest();
await openLinks();
// The front has flushed when the worker is asked to end: a last look leaves nothing in the stream.
onClose("last ingest", ingestAll);
onClose("queues", stopWorkers);
await startWorkers([...ingestJobs, ...rollupJobs, ...linkJobs, ...folderJobs, ...domainJobs]);
reportReady();
