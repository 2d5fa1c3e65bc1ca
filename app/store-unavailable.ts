import type { FormAnswer } from "#components/forms/form";
import { isStoreAway } from "#lib/platform/instance";
import { log } from "#lib/platform/log";

export async function unlessUnavailable<Done>(
  run: () => Promise<FormAnswer<Done>>,
): Promise<FormAnswer<Done>> {
  try {
    return await run();
  } catch (error) {
    if (!isStoreAway(error)) throw error;
    log.warn({ event: "action.failed", error: String(error) });
    return { ok: false, form: "serviceUnavailable" };
  }
}
