/** How the actions of whoever is not signed in answer when Fuxi itself cannot. */
import { AppError } from "#lib/platform/errors";
import type { FormAnswer } from "../../components/forms/form.tsx";
import { unlessAway } from "../store-away.ts";

/** Passwords that wait to be hashed are many at times; whoever is turned away may come again. */
export async function orLater<Done>(
  run: () => Promise<FormAnswer<Done>>,
): Promise<FormAnswer<Done>> {
  try {
    return await unlessAway(run);
  } catch (error) {
    if (error instanceof AppError && error.code === "service_unavailable") {
      return { ok: false, form: "busy" };
    }
    throw error;
  }
}
