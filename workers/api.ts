/** The REST API alone, for installations that scale it apart from redirects. */
import { openCoherence } from "#lib/coherence";
import { configOrExit } from "#lib/config";
import { serve } from "#lib/http";
import { openInstallation, storeChecks } from "#lib/installation";
import { reportReady, superviseProcess } from "#lib/lifetime";
import { openLinks } from "#lib/links";
import { handleApi, isUpload } from "../app/api/index.ts";

superviseProcess();
const config = configOrExit();
await openInstallation();
openCoherence();
await openLinks();
await serve({
  port: config.PORT,
  host: config.HOST,
  onRequest: handleApi,
  isLong: isUpload,
  checks: storeChecks,
});
reportReady();
