"use client";

/** Actions without a form: buttons, selects and switches. Errors are shown in a toast. */
import { toast } from "#components/ui/toast";
import { type FormAnswer, runAction, signedOutEvent, useFormReason } from "./form.tsx";

/** Runs actions; undefined after an error was shown. `title` names what failed, above the reason. */
export function useAction() {
  const reasonOf = useFormReason();
  return async <Done>(
    run: () => Promise<FormAnswer<Done>>,
    title?: string,
  ): Promise<{ done: Done } | undefined> => {
    const answer = await runAction(run);
    if (answer.ok) return { done: answer.done };
    if (answer.form === "unauthorized") window.dispatchEvent(new Event(signedOutEvent));
    const reason = reasonOf(answer);
    if (title === undefined) toast.error(reason);
    else toast.error(title, { description: reason });
    return undefined;
  };
}
