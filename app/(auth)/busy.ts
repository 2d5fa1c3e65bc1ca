/** Answers of actions without a session while the instance is overloaded. */

import type { FormAnswer } from "#components/forms/form";
import { AppError } from "#lib/platform/errors";
import { unlessUnavailable } from "../store-unavailable.ts";

/** Many passwords may be waiting to be hashed; a refused person can try again. */
export async function unlessBusy<Done>(
  run: () => Promise<FormAnswer<Done>>,
): Promise<FormAnswer<Done>> {
  try {
    return await unlessUnavailable(run);
  } catch (error) {
    if (error instanceof AppError && error.code === "service_unavailable") {
      return { ok: false, form: "busy" };
    }
    throw error;
  }
}
