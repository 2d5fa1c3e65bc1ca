/** Keeps answering when API, dashboard and framework are down. */
import cluster from "node:cluster";
import { configOrExit } from "#lib/platform/config";
import { serve, serveLocally } from "#lib/platform/http";
import { openInstance, storeChecks } from "#lib/platform/instance";
import {
  onClose,
  raisePriority,
  reportReady,
  runProcesses,
  superviseProcess,
} from "#lib/platform/processes";
import {
  answerCertificate,
  answerLocalCertificate,
  openRedirect,
  visit,
  visitCached,
} from "#lib/redirect/visits";

superviseProcess();
await raisePriority();
const config = configOrExit();
if (cluster.isPrimary && config.FUXI_REDIRECT_PROCESSES > 1) {
  onClose("processes", await runProcesses(config.FUXI_REDIRECT_PROCESSES));
} else {
  await openInstance();
  await openRedirect();
  await serve({
    port: config.PORT,
    host: config.HOST,
    leaveSeconds: config.FUXI_DRAIN_SECONDS,
    onRequest: (req, res) => {
      if (!visitCached(req, res) && !answerCertificate(req, res)) void visit(req, res);
    },
    checks: storeChecks,
  });
  await serveLocally({
    port: config.FUXI_LOCAL_PORT,
    onRequest: answerLocalCertificate,
    checks: storeChecks,
  });
}
reportReady();
