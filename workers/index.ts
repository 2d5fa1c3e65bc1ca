/** The worker: every queue of this installation. */
import { analyticsJobs, ingestAll, openAnalytics } from "#lib/analytics";
import { openCoherence } from "#lib/coherence";
import { configOrExit } from "#lib/config";
import { domainJobs } from "#lib/domains";
import { folderJobs } from "#lib/folders";
import { openInstallation } from "#lib/installation";
import { onClose, reportReady, superviseProcess } from "#lib/lifetime";
import { linkJobs, openLinks } from "#lib/links";
import { startWorkers, stopWorkers } from "#lib/queue";

superviseProcess();
configOrExit();
await openInstallation();
openCoherence();
await openAnalytics();
await openLinks();
// The front has flushed when the worker is asked to end: a last look leaves nothing in the stream.
onClose("last ingest", ingestAll);
onClose("queues", stopWorkers);
await startWorkers([...analyticsJobs, ...linkJobs, ...folderJobs, ...domainJobs]);
reportReady();
