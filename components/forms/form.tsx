"use client";

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
import type { ErrorWord } from "#lib/messages/schema";

export type FormAnswer<Done> =
  | { ok: true; done: Done }
  | { ok: false; form?: ErrorWord; fields?: Readonly<Record<string, ErrorWord>> };

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
  const t = useTranslations("errors");
  const ref = useRef<HTMLFormElement>(null);
  const [state, submit, pending] = useActionState(
    async (_before: FormState<Done>, data: FormData): Promise<FormState<Done>> => {
      const answer = await answerOf(action, data);
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

  function sentence(word: ErrorWord | undefined): string | undefined {
    return word && t(word, { min: 0, max: 0, ...errorValues });
  }

  return {
    form: { ref, action: submit, onSubmit, noValidate: true },
    pending,
    error: sentence(refusal?.form),
    errorOf: (name: string) => sentence(refusal?.fields?.[name]),
    typed: (name: string, initial = "") => state.typed[name] ?? initial,
  };
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

/** A rejected call means that no answer came: the action itself answers what it refuses. */
async function answerOf<Done>(action: FormAction<Done>, data: FormData): Promise<FormAnswer<Done>> {
  try {
    return await action(data);
  } catch (error) {
    // redirect() and notFound() travel as errors that Next.js itself handles.
    if (error instanceof Error && "digest" in error && String(error.digest).startsWith("NEXT_")) {
      throw error;
    }
    return { ok: false, form: navigator.onLine ? "unknown" : "offline" };
  }
}
