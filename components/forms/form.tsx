"use client";

import { unstable_isUnrecognizedActionError } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, startTransition, useActionState, useEffect, useRef } from "react";
/**
 * A form and the action behind it.
 *
 * The action answers either what was done, or which fields it refuses and why: as words of the catalogue, so that the
 * person reads them in their language.
 *
 * React resets a form after its `action`, and switches and selects with it, whatever was chosen. So the action is called
 * when the form is submitted; as `action` it only stands there for whoever submits before the page listens, and what
 * they typed comes back with a refusal.
 */
import type { ErrorWord } from "#lib/platform/messages/schema";

export type FormAnswer<Done> = { ok: true; done: Done } | Refusal;

interface Refusal {
  ok: false;
  form?: ErrorWord;
  fields?: Readonly<Record<string, ErrorWord>>;
  /** Finds in the log what went wrong. */
  reference?: string;
}

export type FormAction<Done> = (data: FormData) => Promise<FormAnswer<Done>>;

interface FormState<Done> {
  answer: FormAnswer<Done> | undefined;
  typed: Readonly<Record<string, string>>;
}

function typedIn(data: FormData): Record<string, string> {
  const texts = [...data].filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  // Passwords are typed again: they need not travel through the state of a page.
  return Object.fromEntries(texts.filter(([name]) => !name.startsWith("password")));
}

/** Heard by the frame of the dashboard, which lets people sign in where they are. */
export const signedOutEvent = "fuxi:signed-out";

/** Values for the placeholders of error sentences. */
type ErrorValues = Readonly<Record<string, number>>;

export function useForm<Done>(
  action: FormAction<Done>,
  onDone: (done: Done) => void,
  errorValues: ErrorValues = {},
) {
  const { sentence, reasonOf } = useRefusal(errorValues);
  const ref = useRef<HTMLFormElement>(null);
  const [state, submit, pending] = useActionState(
    async (_before: FormState<Done>, data: FormData): Promise<FormState<Done>> => {
      const answer = await answerOf(() => action(data));
      if (answer.ok) onDone(answer.done);
      else if (answer.form === "signedOut") window.dispatchEvent(new Event(signedOutEvent));
      return { answer, typed: answer.ok ? {} : typedIn(data) };
    },
    { answer: undefined, typed: {} },
  );
  const refusal = state.answer?.ok === false ? state.answer : undefined;

  useEffect(() => {
    if (state.answer?.ok && ref.current) emptyFields(ref.current);
  }, [state]);

  useEffect(() => {
    // The first field that is wrong takes the focus, so that its message is read out and can be acted on.
    if (refusal?.fields) ref.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [refusal]);

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    // A dialog within the form may have a form of its own.
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    startTransition(() => submit(data));
  }

  return {
    form: { ref, action: submit, onSubmit, noValidate: true },
    pending,
    error: refusal?.form && reasonOf(refusal),
    errorOf: (name: string) => {
      const word = refusal?.fields?.[name];
      return word && sentence(word);
    },
    typed: (name: string, initial = "") => state.typed[name] ?? initial,
  };
}

/** The sentences of refusals. */
export function useRefusal(values: ErrorValues = {}) {
  const errors = useTranslations("errors");
  const failure = useTranslations("failure");
  const sentence = (word: ErrorWord) => errors(word, { min: 0, max: 0, ...values });
  /** What was refused as a whole, and where the log says more. */
  function reasonOf({ form = "unknown", reference }: Refusal): string {
    if (reference === undefined) return sentence(form);
    return `${sentence(form)} ${failure("reference", { digest: reference })}`;
  }
  return { sentence, reasonOf };
}

/** What was typed into a field that began empty, such as a password, was for this one time. */
function emptyFields(form: HTMLFormElement): void {
  for (const field of form.elements) {
    const typed = field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement;
    if (!typed || !typedKinds.has(field.type) || field.defaultValue !== "") continue;
    field.value = "";
  }
}

const typedKinds = new Set(["text", "password", "email", "url", "search", "textarea"]);

/** Runs an action. A rejected call means that no answer came: the action itself answers what it refuses. */
export async function answerOf<Done>(
  run: () => Promise<FormAnswer<Done>>,
): Promise<FormAnswer<Done>> {
  try {
    return await run();
  } catch (error) {
    // The server's own failure has a digest, which its log has too.
    if (!(error instanceof Error && "digest" in error)) return { ok: false, form: lossOf(error) };
    const digest = String(error.digest);
    // redirect() and notFound() travel as errors that Next.js itself handles.
    if (digest.startsWith("NEXT_")) throw error;
    return { ok: false, form: "unknown", reference: digest };
  }
}

/** Why no answer came. */
function lossOf(error: unknown): ErrorWord {
  // Pages of one build call actions of no other.
  if (unstable_isUnrecognizedActionError(error)) return "renewed";
  // What fetch throws when nobody answers; something else: it was not the application that answered.
  return error instanceof TypeError || !navigator.onLine ? "offline" : "away";
}
