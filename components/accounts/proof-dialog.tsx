"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useState } from "react";
import type { AskForPasskey } from "#components/auth/passkey.ts";
import { PasskeyButton } from "#components/auth/passkey-button";
import { CodeField } from "#components/forms/code-field";
import {
  type FormAction,
  type FormAnswer,
  type FormFailure,
  runAction,
  signedOutEvent,
  useAction,
  useFormReason,
} from "#components/forms/form";
import { Button } from "#components/ui/button";
import { DialogContent, DialogSubmit } from "#components/ui/dialog";
import { FormError } from "#components/ui/form-error";
import { Spinner } from "#components/ui/spinner";
import { toast } from "#components/ui/toast";
import type { MissingPresence } from "#lib/identity/presence/schema";
import { ConfirmPassword } from "./confirm-password.tsx";

export interface ProofActions {
  find: () => Promise<FormAnswer<MissingPresence>>;
  prove: FormAction<null>;
  /** Undefined where passkeys are not possible. */
  passkey: { ask: AskForPasskey; prove: (answer: string) => Promise<FormAnswer<null>> } | undefined;
  /** For a new sign-in above the page. Undefined where passkeys are not possible. */
  signIn: AskForPasskey | undefined;
  /** Sends a sign-in email, and returns the address that it was sent to. */
  sendSignIn: () => Promise<FormAnswer<string>>;
}

/** Asks for what a fresh proof still needs: the password, the code of the second factor, or a new sign-in. */
export function ProofDialog({ find, onProved, ...form }: ProofActions & { onProved: () => void }) {
  const t = useTranslations("proof");
  const [found, setFound] = useState<FormAnswer<MissingPresence>>();
  async function load() {
    setFound(undefined);
    const answer = await runAction(find);
    if (!answer.ok && answer.form === "unauthorized") {
      window.dispatchEvent(new Event(signedOutEvent));
    }
    setFound(answer);
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the dialog opens
  useEffect(() => void load(), []);
  return (
    <DialogContent title={t("title")} description={t("text")}>
      {found ? null : <Spinner />}
      {found?.ok === false ? <NotFound failure={found} retry={() => void load()} /> : null}
      {found?.ok ? <ProofForm missing={found.done} onProved={onProved} {...form} /> : null}
    </DialogContent>
  );
}

function NotFound({ failure, retry }: { failure: FormFailure; retry: () => void }) {
  const common = useTranslations("common");
  const reasonOf = useFormReason();
  return (
    <div className="grid justify-items-start gap-4">
      <FormError>{reasonOf(failure)}</FormError>
      <Button onClick={retry}>{common("retry")}</Button>
    </div>
  );
}

interface ProofFormProps extends Omit<ProofActions, "find"> {
  missing: MissingPresence;
  onProved: () => void;
}

/**
 * Doesn’t use `useForm`: the action that needs the proof is a transition that waits for it, and React shows no other transition
 * until that one ends.
 */
function ProofForm({ missing, prove, passkey, sendSignIn, onProved }: ProofFormProps) {
  const t = useTranslations("proof");
  const reasonOf = useFormReason();
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<FormFailure>();

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    setPending(true);
    const answer = await runAction(() => prove(data));
    setPending(false);
    setFailure(answer.ok ? undefined : answer);
    if (answer.ok) onProved();
  }

  return (
    <form onSubmit={(event) => void onSubmit(event)} noValidate className="grid gap-4">
      <FormError>{failure && (failure.form ?? failure.said?.form) && reasonOf(failure)}</FormError>
      {missing.password ? <ConfirmPassword error={failure?.said?.fields?.["passwordNow"]} /> : null}
      {missing.code ? (
        <CodeField label={t("code")} error={failure?.said?.fields?.["code"]} />
      ) : null}
      {missing.passkey && passkey ? (
        <PasskeyButton ask={passkey.ask} submit={passkey.prove} onDone={onProved} />
      ) : null}
      {missing.signIn ? missing.sso ? <SsoLink /> : <SignInLink send={sendSignIn} /> : null}
      <DialogSubmit pending={pending}>{t("continue")}</DialogSubmit>
    </form>
  );
}

function SsoLink() {
  const t = useTranslations("proof");
  return (
    <div className="grid justify-items-start gap-2 text-sm">
      <p className="text-ink-muted">{t("ssoFirst")}</p>
      <Button asChild>
        <a href="/signin/sso" target="_blank" rel="noreferrer">
          {t("ssoAgain")}
        </a>
      </Button>
    </div>
  );
}

function SignInLink({ send }: { send: ProofActions["sendSignIn"] }) {
  const t = useTranslations("proof");
  const run = useAction();
  const [pending, setPending] = useState(false);
  async function ask() {
    setPending(true);
    const sent = await run(send);
    setPending(false);
    if (sent) toast.success(t("signInSent", { email: sent.done }));
  }
  return (
    <div className="grid justify-items-start gap-2 text-sm">
      <p className="text-ink-muted">{t("signInFirst")}</p>
      <Button pending={pending} onClick={() => void ask()}>
        {t("sendSignIn")}
      </Button>
    </div>
  );
}
