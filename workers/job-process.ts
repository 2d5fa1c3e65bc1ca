/** One long job, so that counting clicks continues and memory is returned. Ends with the worker. */
import { allowLongTimeouts } from "#lib/basics/bounds";
import { openLinks } from "#lib/links/creating";
import { openCoherence } from "#lib/platform/cache-sync";
import { configOrExit } from "#lib/platform/config";
import { openInstance } from "#lib/platform/instance";
import { closeAll, superviseProcess } from "#lib/platform/processes";

export async function runJobProcess(run: (id: string) => Promise<void>): Promise<never> {
  superviseProcess();
  allowLongTimeouts();
  configOrExit();
  await openInstance();
  // Without this subscription, each domain is looked up twice a second.
  openCoherence();
  await openLinks();
  const [, , id = ""] = process.argv;
  try {
    await run(id);
  } finally {
    await closeAll();
  }
  // The channel to the worker would keep it running.
  process.exit(0);
}
