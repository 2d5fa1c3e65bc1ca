/** The REST API alone, to scale it separately from redirects. */
import { openLinks } from "#lib/links/creating";
import { openCoherence } from "#lib/platform/cache-sync";
import { configOrExit } from "#lib/platform/config";
import { checkFiles } from "#lib/platform/files";
import { serve, serveLocally } from "#lib/platform/http";
import { openInstance, storeChecks } from "#lib/platform/instance";
import { openParsers } from "#lib/platform/parsers";
import { reportReady, superviseProcess } from "#lib/platform/processes";
import { handleApi, isUpload } from "../app/api/index.ts";

superviseProcess();
const config = configOrExit();
await openInstance();
openCoherence();
void checkFiles();
await openLinks();
openParsers({ warm: 1 });
await serve({
  port: config.PORT,
  host: config.HOST,
  leaveSeconds: config.FUXI_DRAIN_SECONDS,
  onRequest: handleApi,
  isLong: isUpload,
  checks: storeChecks,
});
await serveLocally({ port: config.FUXI_LOCAL_PORT, checks: storeChecks });
reportReady();
