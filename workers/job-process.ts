/**
 * Runs one long job in a process of its own, so that clicks are still counted and its memory is freed at the end. Ends with the
 * worker.
 */
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
  // Without this subscription, every domain would be looked up twice a second.
  openCoherence();
  await openLinks();
  const [, , id = ""] = process.argv;
  await run(id);
  await closeAll();
  // Otherwise the channel to the worker would keep this process running.
  process.exit(0);
}
