"use client";

import { unstable_isUnrecognizedActionError } from "next/navigation";
import { useTranslations } from "next-intl";
import {
  type FormEvent,
  startTransition,
  useActionState,
  useEffect,
  useRef,
  useState,
} from "react";
import { toast } from "#components/ui/toast";
import type { ErrorMessageKey } from "#lib/platform/messages/schema";

/**
 * A form and its action.
 *
 * The action returns either its result, or the invalid fields with the reasons: as message keys, and as texts in the user's
 * language, so that the browser needs no error messages.
 *
 * React resets a form after its `action`, including switches and selects. So the action is called when the form is submitted.
 * `action` is only for submissions before hydration, whose input is restored with the errors.
 */

export type FormAnswer<Done> = { ok: true; done: Done } | FormFailure;

/** Why a call got no answer. Only these messages are in the browser. */
const networkFailures = ["offline", "away", "renewed"] as const;
type NetworkFailure = (typeof networkFailures)[number];

export interface Sentences {
  form?: string;
  fields?: Readonly<Record<string, string>>;
}

export interface FormFailure {
  ok: false;
  form?: ErrorMessageKey | NetworkFailure;
  values?: ErrorValues;
  fields?: Readonly<Record<string, ErrorMessageKey>>;
  /** The messages of these keys. The server writes them, because the browser does not have them. */
  said?: Sentences;
  reference?: string;
}

/** If the person may not call the action, components get null instead. */
export type FormAction<Done> = (data: FormData) => Promise<FormAnswer<Done>>;

interface FormState<Done> {
  answer: FormAnswer<Done> | undefined;
  typed: Readonly<Record<string, string>>;
}

function typedValues(data: FormData): Record<string, string> {
  const texts = [...data].filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  // Passwords must not be part of a page's state, so people enter them again.
  return Object.fromEntries(texts.filter(([name]) => !name.startsWith("password")));
}

/** Handled by the frame of the dashboard, which lets users sign in in place. */
export const signedOutEvent = "fuxi:signed-out";

/** Handled by the frame of the dashboard, which asks for a proof and settles the request. */
export const proofEvent = "fuxi:proof-needed";

export class ProofRequest extends Event {
  readonly settle: (proved: boolean) => void;

  constructor(settle: (proved: boolean) => void) {
    super(proofEvent, { cancelable: true });
    this.settle = settle;
  }
}

/** True once the person has given the proof. False if they cancel, or if no frame asks for it. */
function askForProof(): Promise<boolean> {
  return new Promise((resolve) => {
    if (window.dispatchEvent(new ProofRequest(resolve))) resolve(false);
  });
}

/** Values for the placeholders of error messages. */
type ErrorValues = Readonly<Record<string, string | number>>;

interface FormOptions {
  /** Messages of failures that the form finds itself, without its action. */
  say?: (key: string) => string | undefined;
  /** For a form that sends everything in one field: its values, by the names of their errors. */
  values?: Values;
}

export function useForm<Done>(
  action: FormAction<Done>,
  onDone: (done: Done) => void,
  { values, say }: FormOptions = {},
) {
  const reasonOf = useFormReason(say);
  const ref = useRef<HTMLFormElement>(null);
  const corrections = useCorrections(values);
  const [state, submit, pending] = useActionState(
    async (_before: FormState<Done>, data: FormData): Promise<FormState<Done>> => {
      const answer = await runAction(() => action(data));
      corrections.clear();
      // In one transition with the page that the action rendered. Otherwise an edited row could reopen with its old values.
      if (answer.ok) startTransition(() => onDone(answer.done));
      else if (answer.form === "unauthorized") window.dispatchEvent(new Event(signedOutEvent));
      return { answer, typed: answer.ok ? {} : typedValues(data) };
    },
    { answer: undefined, typed: {} },
  );
  const failure = state.answer?.ok === false ? state.answer : undefined;

  useEffect(() => {
    if (state.answer?.ok && ref.current) clearFields(ref.current);
  }, [state]);

  useEffect(() => {
    // Focuses the first invalid field, so that its message is read out and can be acted on.
    if (failure?.fields) ref.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [failure]);

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    // A dialog within the form may contain its own form.
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    corrections.submit();
    startTransition(() => submit(data));
  }

  const errorOf = (name: string) => {
    const messageKey = corrections.has(name) ? undefined : failure?.fields?.[name];
    return messageKey && (failure?.said?.fields?.[name] ?? say?.(messageKey));
  };
  const typed = (name: string, initial = "") => state.typed[name] ?? initial;
  return {
    form: { ref, action: submit, onSubmit, onInput: corrections.onInput, noValidate: true },
    pending,
    error: failure && (failure.form ?? failure.said?.form) && reasonOf(failure),
    errorOf,
    typed,
    /** The props of a field that starts with a value, and keeps what the person typed. */
    field: (name: string, initial?: string) => ({
      name,
      error: errorOf(name),
      defaultValue: typed(name, initial),
    }),
  };
}

/** Fields that changed after the form was submitted. Their errors may no longer be true. */
function useCorrections(values: Values | undefined) {
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  const [submitted, setSubmitted] = useState(values);
  return {
    submit: () => setSubmitted(values),
    clear: () => setChanged(new Set()),
    onInput: ({ target }: FormEvent<HTMLFormElement>) => {
      const name = target instanceof Element ? target.getAttribute("name") : null;
      if (name) setChanged((before) => (before.has(name) ? before : new Set([...before, name])));
    },
    has: (name: string) =>
      changed.has(name) ||
      JSON.stringify(valueAt(values, name)) !== JSON.stringify(valueAt(submitted, name)),
  };
}

type Values = Readonly<Record<string, unknown>>;

function valueAt(values: Values | undefined, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((value, name) => new Map(Object.entries(Object(value))).get(name), values);
}

/** The message for a whole form, with a reference to the log. */
export function useFormReason(say?: FormOptions["say"]) {
  const t = useTranslations("failure");
  return ({ form, said, reference }: FormFailure): string => {
    const network = networkFailures.find((one) => one === form);
    // Outside a form, nothing else shows the message of a field.
    const [ofField] = Object.values(said?.fields ?? {});
    const reason =
      said?.form ?? ofField ?? (form && say?.(form)) ?? t(`reasons.${network ?? "unknown"}`);
    if (reference === undefined) return reason;
    return `${reason} ${t("reference", { digest: reference })}`;
  };
}

/** Clears fields that started empty, such as a password, after use. */
function clearFields(form: HTMLFormElement): void {
  for (const field of form.elements) {
    const typed = field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement;
    if (!typed || !typedKinds.has(field.type) || field.defaultValue !== "") continue;
    field.value = "";
  }
}

const typedKinds = new Set(["text", "password", "email", "url", "search", "textarea"]);

/**
 * Runs an action, and repeats it after a proof if it needs one. A rejected call means that there was no answer, because the
 * action returns its errors.
 */
export async function runAction<Done>(
  run: () => Promise<FormAnswer<Done>>,
): Promise<FormAnswer<Done>> {
  try {
    const answer = await run();
    const needsProof = !answer.ok && answer.form === "proofNeeded";
    return needsProof && (await askForProof()) ? await run() : answer;
  } catch (error) {
    // A server error has a digest, which the log contains too.
    if (!(error instanceof Error && "digest" in error))
      return { ok: false, form: networkErrorOf(error) };
    const digest = String(error.digest);
    // Next.js handles the errors of redirect() and notFound() itself.
    if (digest.startsWith("NEXT_")) throw error;
    return { ok: false, form: "unknown", reference: digest };
  }
}

function networkErrorOf(error: unknown): NetworkFailure {
  // A page of one build cannot call the actions of another.
  if (unstable_isUnrecognizedActionError(error)) return "renewed";
  // fetch throws this if the server is unreachable. For any other error, something other than the application answered.
  return error instanceof TypeError || !navigator.onLine ? "offline" : "away";
}

/** Runs actions. Returns undefined after it has shown an error. `title` says what failed, above the reason. */
export function useAction() {
  const reasonOf = useFormReason();
  async function attempt<Done>(
    run: () => Promise<FormAnswer<Done>>,
    title?: string,
  ): Promise<{ done: Done } | undefined> {
    const answer = await runAction(run);
    if (answer.ok) return { done: answer.done };
    if (answer.form === "unauthorized") window.dispatchEvent(new Event(signedOutEvent));
    const reason = reasonOf(answer);
    if (title === undefined) toast.error(reason);
    else toast.error(title, { description: reason });
    return undefined;
  }
  return attempt;
}
