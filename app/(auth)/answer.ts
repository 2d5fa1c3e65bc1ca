/** How the actions of whoever is not signed in answer when Fuxi itself cannot. */
import { AppError } from "#lib/errors";
import { isStoreAway } from "#lib/installation";
import { log } from "#lib/log";
import type { FormAnswer } from "../../components/forms/form.tsx";

/** Passwords that wait to be hashed are many at times; whoever is turned away may come again. */
export async function orLater<Done>(
  run: () => Promise<FormAnswer<Done>>,
): Promise<FormAnswer<Done>> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof AppError && error.code === "service_unavailable") {
      return { ok: false, form: "busy" };
    }
    if (!isStoreAway(error)) throw error;
    log.warn({ event: "action.failed", error: String(error) });
    return { ok: false, form: "unavailable" };
  }
}
