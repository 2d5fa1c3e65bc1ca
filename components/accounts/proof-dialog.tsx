"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState, useTransition } from "react";
import type { MissingProof } from "#lib/tenancy/live-actors/schema";
import { CodeField } from "../forms/code-field.tsx";
import { type FormAction, type FormAnswer, useForm } from "../forms/form.tsx";
import { useAction } from "../forms/use-action.ts";
import { Button } from "../ui/button.tsx";
import { DialogContent } from "../ui/dialog.tsx";
import { DialogSubmit } from "../ui/dialog-submit.tsx";
import { FormError } from "../ui/form-error.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { toast } from "../ui/toast.tsx";
import { ConfirmPassword } from "./confirm-password.tsx";

export interface ProofActions {
  /** What to ask for. */
  find: () => Promise<FormAnswer<MissingProof>>;
  prove: FormAction<null>;
  /** Sends an email that signs in; returns its address. */
  sendSignIn: () => Promise<FormAnswer<string>>;
}

/** Asks for what is missing of a fresh proof: the password, the code of the second factor, or a new sign-in. */
export function ProofDialog({ find, onProved, ...form }: ProofActions & { onProved: () => void }) {
  const t = useTranslations("proof");
  const runAction = useAction();
  const [missing, setMissing] = useState<MissingProof>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the dialog opens
  useEffect(() => void runAction(find).then((found) => setMissing(found?.done)), []);
  return (
    <DialogContent title={t("title")} description={t("text")}>
      {missing ? <ProofForm missing={missing} onProved={onProved} {...form} /> : <Spinner />}
    </DialogContent>
  );
}

interface ProofFormProps extends Omit<ProofActions, "find"> {
  missing: MissingProof;
  onProved: () => void;
}

function ProofForm({ missing, prove, sendSignIn, onProved }: ProofFormProps) {
  const t = useTranslations("proof");
  const { form, pending, error, errorOf } = useForm(prove, onProved);
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      {missing.password ? <ConfirmPassword error={errorOf("passwordNow")} /> : null}
      {missing.code ? <CodeField label={t("code")} error={errorOf("code")} /> : null}
      {missing.signIn ? <SignInLink send={sendSignIn} /> : null}
      <DialogSubmit pending={pending}>{t("continue")}</DialogSubmit>
    </form>
  );
}

/** For an account with neither a password nor a second factor: a sign-in just before. */
function SignInLink({ send }: { send: ProofActions["sendSignIn"] }) {
  const t = useTranslations("proof");
  const runAction = useAction();
  const [pending, start] = useTransition();
  function ask() {
    start(async () => {
      const sent = await runAction(send);
      if (sent) toast.success(t("signInSent", { email: sent.done }));
    });
  }
  return (
    <div className="grid justify-items-start gap-2 text-sm">
      <p className="text-ink-muted">{t("signInFirst")}</p>
      <Button pending={pending} onClick={ask}>
        {t("sendSignIn")}
      </Button>
    </div>
  );
}
