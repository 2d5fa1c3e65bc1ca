"use client";

/** An action without a form: pressed, chosen or switched. What it refuses is told in a short message. */
import { toast } from "../ui/toast.tsx";
import { answerOf, type FormAnswer, signedOutEvent, useRefusal } from "./form.tsx";

/** Runs actions; undefined after a refusal was told. `title` says what was not done, above the reason. */
export function useAct() {
  const { reasonOf } = useRefusal();
  return async <Done>(
    run: () => Promise<FormAnswer<Done>>,
    title?: string,
  ): Promise<{ done: Done } | undefined> => {
    const answer = await answerOf(run);
    if (answer.ok) return { done: answer.done };
    if (answer.form === "signedOut") window.dispatchEvent(new Event(signedOutEvent));
    const reason = reasonOf(answer);
    if (title === undefined) toast.error(reason);
    else toast.error(title, { description: reason });
    return undefined;
  };
}
