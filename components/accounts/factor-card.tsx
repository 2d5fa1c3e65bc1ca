"use client";

import { useTranslations } from "next-intl";
import { useState, useTransition } from "react";
import { CodeField } from "#components/forms/code-field";
import { type FormAction, type FormAnswer, useAction, useForm } from "#components/forms/form";
import { Badge } from "#components/ui/badge";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { CopyButton } from "#components/ui/copy-button";
import {
  Dialog,
  DialogActions,
  DialogClose,
  DialogContent,
  DialogSubmit,
  DialogTrigger,
} from "#components/ui/dialog";
import { FormError } from "#components/ui/form-error";
import { toast } from "#components/ui/toast";

interface FactorCardProps extends FactorActions {
  on: boolean;
  recoveryLeft: number;
}

export function FactorCard({ on, recoveryLeft, ...actions }: FactorCardProps) {
  const t = useTranslations("security");
  return (
    <Card
      heading={t("factor")}
      note={on ? t("factorLeft", { left: recoveryLeft }) : t("factorText")}
      aside={<Badge tone={on ? "green" : "gray"}>{t(on ? "factorOn" : "factorOff")}</Badge>}
    >
      <div className="flex flex-wrap gap-2">
        <SetUpDialog on={on} begin={actions.begin} confirm={actions.confirm} />
        {on ? <RenewDialog renew={actions.renew} /> : null}
        {on ? <DropDialog drop={actions.drop} /> : null}
      </div>
    </Card>
  );
}

export interface FactorSecret {
  secret: string;
  qr: string;
}

interface FactorActions {
  begin: () => Promise<FormAnswer<FactorSecret>>;
  /** `confirm` and `renew` return recovery codes. */
  confirm: FormAction<string[]>;
  renew: FormAction<string[]>;
  drop: FormAction<null>;
}

interface SetUpDialogProps extends Pick<FactorActions, "begin" | "confirm"> {
  on: boolean;
}

/** Also rendered when the factor is on, because the last step turns it on and then shows its recovery codes. */
function SetUpDialog({ on, begin, confirm }: SetUpDialogProps) {
  const t = useTranslations("security");
  const runAction = useAction();
  const [secret, setSecret] = useState<FactorSecret>();
  const [codes, setCodes] = useState<readonly string[]>();
  const [open, setOpen] = useState(false);
  const [pending, start] = useTransition();

  function ask() {
    start(async () => {
      const factor = await runAction(begin);
      if (!factor) return;
      setCodes(undefined);
      setSecret(factor.done);
      setOpen(true);
    });
  }

  return (
    <>
      {on ? null : (
        <Button variant="solid" pending={pending} onClick={ask}>
          {t("setUp")}
        </Button>
      )}
      <Dialog open={open} onOpenChange={setOpen}>
        {codes ? (
          <CodesContent codes={codes} />
        ) : (
          <DialogContent title={t("setUpTitle")} description={t("setUpText")}>
            {secret ? <SecretView secret={secret} /> : null}
            <CodeForm
              runAction={confirm}
              label={t("code")}
              action={t("turnOn")}
              onDone={setCodes}
            />
          </DialogContent>
        )}
      </Dialog>
    </>
  );
}

function SecretView({ secret: { qr, secret } }: { secret: FactorSecret }) {
  const t = useTranslations("security");
  return (
    <div className="mb-4 grid justify-items-center gap-3">
      {/* biome-ignore lint/performance/noImgElement: an image embedded in the page itself */}
      <img src={qr} alt={t("qr")} width={192} height={192} className="rounded-lg bg-white" />
      <p className="grid justify-items-center gap-1 text-ink-muted text-sm">
        {t("secret")}
        <code className="select-all break-all text-center font-mono text-ink text-xs">
          {secret.replace(/(.{4})(?=.)/g, "$1 ")}
        </code>
      </p>
    </div>
  );
}

function RenewDialog({ renew }: Pick<FactorActions, "renew">) {
  const t = useTranslations("security");
  const [codes, setCodes] = useState<readonly string[]>();
  return (
    <Dialog onOpenChange={(open) => (open ? setCodes(undefined) : undefined)}>
      <DialogTrigger asChild>
        <Button>{t("renewCodes")}</Button>
      </DialogTrigger>
      {codes ? (
        <CodesContent codes={codes} />
      ) : (
        <DialogContent title={t("renewCodes")} description={t("renewText")}>
          <CodeForm
            runAction={renew}
            label={t("codeOrRecovery")}
            action={t("renewCodes")}
            onDone={setCodes}
          />
        </DialogContent>
      )}
    </Dialog>
  );
}

function DropDialog({ drop }: Pick<FactorActions, "drop">) {
  const t = useTranslations("security");
  const [open, setOpen] = useState(false);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button>{t("turnOff")}</Button>
      </DialogTrigger>
      <DialogContent title={t("turnOffTitle")} description={t("turnOffText")}>
        <CodeForm
          runAction={drop}
          label={t("codeOrRecovery")}
          action={t("turnOff")}
          onDone={() => {
            setOpen(false);
            toast.success(t("turnedOff"));
          }}
        />
      </DialogContent>
    </Dialog>
  );
}

interface CodeFormProps<Done> {
  runAction: FormAction<Done>;
  label: string;
  action: string;
  onDone: (done: Done) => void;
}

function CodeForm<Done>({ runAction, label, action, onDone }: CodeFormProps<Done>) {
  const { form, pending, error, errorOf } = useForm(runAction, onDone);
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <CodeField label={label} error={errorOf("code")} />
      <DialogSubmit pending={pending}>{action}</DialogSubmit>
    </form>
  );
}

function CodesContent({ codes }: { codes: readonly string[] }) {
  const t = useTranslations("security");
  return (
    <DialogContent title={t("codesTitle")} description={t("codesText")}>
      <ul
        aria-label={t("codesTitle")}
        className="mb-4 grid gap-1 rounded-lg bg-sunken p-3 font-mono text-sm sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <DialogActions>
        <CopyButton text={codes.join("\n")} label={t("copyCodes")}>
          {t("copyCodes")}
        </CopyButton>
        <DialogClose asChild>
          <Button variant="solid">{t("stored")}</Button>
        </DialogClose>
      </DialogActions>
    </DialogContent>
  );
}
