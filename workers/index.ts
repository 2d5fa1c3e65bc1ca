/** The worker: all queues of this instance. */
import { constants } from "node:os";
import { leadJobs } from "#lib/analytics/conversions";
import { domainHealthJobs } from "#lib/analytics/domain-health";
import {
  ingestJobs,
  ingestRest,
  openIngest,
  stopIngest,
  watchStarvation,
} from "#lib/analytics/ingest";
import { rollupJobs } from "#lib/analytics/rollups";
import { trafficAlertJob } from "#lib/analytics/traffic-alerts";
import { contactJobs } from "#lib/audience/contacts";
import { miniProgramJobs } from "#lib/audience/mini-programs";
import { wechatTicketJobs } from "#lib/audience/wechat-accounts";
import { wechatCodeJobs } from "#lib/audience/wechat-exchange";
import { allowLongTimeouts } from "#lib/basics/bounds";
import { pollDestinationsJob, warnListsJob } from "#lib/destinations/lists";
import { reputationJobs } from "#lib/destinations/reputation";
import { accountJobs } from "#lib/identity/accounts";
import { ssoJobs } from "#lib/identity/single-sign-on";
import { linkJobs } from "#lib/links/bulk-jobs";
import { openLinks } from "#lib/links/creating";
import { destinationCheckJob } from "#lib/links/destination-checks";
import { domainJobs } from "#lib/links/domains";
import { forgetDeletedJob } from "#lib/links/editing";
import { folderJobs } from "#lib/links/folders";
import { indexingJob } from "#lib/links/indexing";
import { retirementJobs } from "#lib/links/lifetime";
import { listJobs } from "#lib/links/list-jobs";
import { banJobs } from "#lib/office/bans";
import { refusedJob } from "#lib/office/refused-links";
import { reportJobs } from "#lib/office/reports";
import { usageJob } from "#lib/office/usage";
import { campaignJobs } from "#lib/outreach/campaigns";
import { reportJobs as emailReportJobs } from "#lib/outreach/email-reports";
import { erasingJobs } from "#lib/outreach/erasing";
import { phoneCodeJobs } from "#lib/outreach/phone-code-sending";
import { sendingJobs } from "#lib/outreach/sending";
import { sourceJobs } from "#lib/outreach/sources";
import { webhookJobs } from "#lib/outreach/webhooks";
import { openCoherence } from "#lib/platform/cache-sync";
import { configOrExit } from "#lib/platform/config";
import { checkFiles } from "#lib/platform/files";
import { serveLocally } from "#lib/platform/http";
import { exposeBackupAge, openInstance, storeChecks } from "#lib/platform/instance";
import { openParsers } from "#lib/platform/parsers";
import {
  hasPriorities,
  lowerPriority,
  onClose,
  reportReady,
  superviseProcess,
} from "#lib/platform/processes";
import { startWorkers, stopWorkers } from "#lib/platform/queue";
import { billingJobs } from "#lib/tenancy/billing";
import { notificationMailJobs } from "#lib/tenancy/notification-mails";
import { planJobs } from "#lib/tenancy/plan-warnings";
import { importerJobs } from "#lib/transfer/importers";
import { importJobs } from "#lib/transfer/imports";
import { retentionJobs } from "#lib/transfer/retention";
import { workspaceExportJobs } from "#lib/transfer/workspace-export";
import { removalJobs } from "#lib/transfer/workspace-purge";

superviseProcess();
const config = configOrExit();
// No visitor waits for this process.
if (hasPriorities()) await lowerPriority(constants.priority.PRIORITY_BELOW_NORMAL);
// At this priority, a busy machine handles responses of the stores late. Short timeouts would make jobs fail.
allowLongTimeouts();
await openInstance();
openCoherence();
await openIngest();
void checkFiles();
await openLinks();
openParsers({ warm: 0 });
// The front has already flushed its clicks, so a final run empties the stream.
onClose("last ingest", ingestRest);
onClose("queues", stopWorkers);
onClose("counting", stopIngest);
await startWorkers([
  ...ingestJobs,
  ...rollupJobs,
  ...leadJobs,
  ...contactJobs,
  ...linkJobs,
  ...listJobs,
  ...banJobs,
  ...reportJobs,
  ...emailReportJobs,
  ...reputationJobs,
  ...retirementJobs,
  ...miniProgramJobs,
  ...wechatTicketJobs,
  ...wechatCodeJobs,
  ...retentionJobs,
  forgetDeletedJob,
  indexingJob,
  ...folderJobs,
  ...domainJobs,
  ...domainHealthJobs,
  trafficAlertJob,
  destinationCheckJob,
  pollDestinationsJob,
  warnListsJob,
  ...accountJobs,
  ...ssoJobs,
  ...planJobs,
  ...notificationMailJobs,
  ...billingJobs,
  ...removalJobs,
  ...workspaceExportJobs,
  ...importJobs,
  ...importerJobs,
  ...campaignJobs,
  ...sendingJobs,
  ...phoneCodeJobs,
  ...erasingJobs,
  ...sourceJobs,
  ...webhookJobs,
  usageJob,
  refusedJob,
]);
await serveLocally({
  port: config.FUXI_WORKER_PORT,
  host: config.FUXI_WORKER_HOST,
  checks: storeChecks,
});
exposeBackupAge();
watchStarvation();
reportReady();
