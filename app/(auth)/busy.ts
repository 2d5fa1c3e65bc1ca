import type { FormAnswer } from "#components/forms/form";
import { AppError } from "#lib/platform/errors";
import { unlessUnavailable } from "../store-unavailable.ts";

/** If too many passwords are waiting to be hashed, reports that the instance is busy, so the person can try again. */
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
