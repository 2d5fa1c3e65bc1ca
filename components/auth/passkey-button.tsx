"use client";

import { KeyRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import {
  type FormAnswer,
  type FormFailure,
  runAction,
  useFormReason,
} from "#components/forms/form";
import { Button } from "#components/ui/button";
import { FormError } from "#components/ui/form-error";
import { type AskForPasskey, signWithPasskey } from "./passkey.ts";

interface PasskeyButtonProps<Done> {
  ask: AskForPasskey;
  submit: (answer: string) => Promise<FormAnswer<Done>>;
  onDone: (done: Done) => void;
  /** Messages of failures that `submit` finds in the browser. */
  say?: (key: string) => string | undefined;
}

/** Doesn’t use `useForm`, because it is also in the dialog that a transition waits for. */
export function PasskeyButton<Done>({ ask, submit, onDone, say }: PasskeyButtonProps<Done>) {
  const t = useTranslations("auth");
  const reasonOf = useFormReason(say);
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<FormFailure>();

  async function run() {
    setPending(true);
    const steps = { submit, canceled: t("passkeyCanceled") };
    const answer = await runAction(() => signWithPasskey(ask, steps));
    setPending(false);
    setFailure(answer.ok ? undefined : answer);
    if (answer.ok) onDone(answer.done);
  }

  return (
    <div className="grid gap-3">
      <FormError>{failure && reasonOf(failure)}</FormError>
      <Button size="lg" className="w-full" pending={pending} onClick={() => void run()}>
        <KeyRound aria-hidden />
        {t("usePasskey")}
      </Button>
    </div>
  );
}
