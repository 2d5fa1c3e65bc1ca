"use client";

import { FileUp, Plus } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { type FormEvent, useRef, useState } from "react";
import { type FormAnswer, useAction } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Dialog, DialogContent, DialogSubmit, DialogTrigger } from "#components/ui/dialog";
import { FormError } from "#components/ui/form-error";
import { Textarea } from "#components/ui/input";
import { Progress } from "#components/ui/progress";
import { type AddedOptOuts, countryCode } from "#lib/outreach/opt-outs/schema";
import { InputField, TextareaField } from "../ui/labeled.tsx";
import { phonesOf, slicesOf } from "./opt-out-phones.ts";

type Add = (phones: string[], country: string) => Promise<FormAnswer<AddedOptOuts>>;

/** The limit of the text field. Files are split, so they may have more. */
const phonesMax = 100_000;

interface Outcome {
  added: number;
  existing: number;
  invalid: string[];
}

interface AddOptOutsProps {
  add: Add;
  perCall: number;
}

/** Adds phones that are pasted or from a file. The text stays until all of them are added. */
export function AddOptOuts({ add, perCall }: AddOptOutsProps) {
  const t = useTranslations("optOuts");
  const [open, setOpen] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        if (next) setOutcome(undefined);
      }}
    >
      <DialogTrigger asChild>
        <Button variant="solid">
          <Plus aria-hidden />
          {t("add")}
        </Button>
      </DialogTrigger>
      <DialogContent side="right" title={t("addTitle")} description={t("addText")}>
        {outcome ? (
          <AddedView outcome={outcome} onClose={() => setOpen(false)} />
        ) : (
          <AddForm add={add} perCall={perCall} onDone={setOutcome} />
        )}
      </DialogContent>
    </Dialog>
  );
}

type AddFormProps = AddOptOutsProps & { onDone: (outcome: Outcome) => void };

function AddForm({ add, perCall, onDone }: AddFormProps) {
  const t = useTranslations("optOuts");
  const format = useFormatter();
  const [text, setText] = useState("");
  const [country, setCountry] = useState("");
  const [error, setError] = useState<"phonesMissing" | "phonesMany" | "countryInvalid">();
  const { run, share } = useAdding({ add, perCall });
  const phones = phonesOf(text);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const home = country.trim().toUpperCase();
    if (phones.length === 0) return setError("phonesMissing");
    if (phones.length > phonesMax) return setError("phonesMany");
    if (home !== "" && !countryCode.safeParse(home).success) return setError("countryInvalid");
    setError(undefined);
    const outcome = await run(phones, home);
    if (outcome) onDone(outcome);
  }

  return (
    <form onSubmit={(event) => void submit(event)} className="grid gap-4" noValidate>
      <FormError>{error && t(error, { max: format.number(phonesMax) })}</FormError>
      <TextareaField
        label={t("phones")}
        hint={phones.length > 0 ? t("count", { count: phones.length }) : t("phonesHint")}
        rows={6}
        spellCheck={false}
        autoComplete="off"
        className="max-h-60 font-mono text-sm"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <PhoneFile onText={setText} />
      <InputField
        label={t("country")}
        hint={t("countryHint")}
        className="w-24 uppercase"
        maxLength={2}
        autoComplete="off"
        value={country}
        onChange={({ target }) => setCountry(target.value)}
      />
      {share === undefined ? null : <Progress label={t("adding")} share={share} />}
      <DialogSubmit pending={share !== undefined}>{t("addTitle")}</DialogSubmit>
    </form>
  );
}

function useAdding({ add, perCall }: AddOptOutsProps) {
  const t = useTranslations("optOuts");
  const runAction = useAction();
  const [share, setShare] = useState<number>();
  const run = async (phones: readonly string[], country: string): Promise<Outcome | undefined> => {
    const outcome: Outcome = { added: 0, existing: 0, invalid: [] };
    setShare(0);
    let done = 0;
    for (const slice of slicesOf(phones, perCall)) {
      const answer = await runAction(
        () => add(slice, country),
        t("interrupted", { added: outcome.added }),
      );
      if (!answer) {
        setShare(undefined);
        return undefined;
      }
      outcome.added += answer.done.added;
      outcome.existing += answer.done.existing;
      outcome.invalid.push(...answer.done.invalid.flatMap((at) => slice[at] ?? []));
      done += slice.length;
      setShare(done / phones.length);
    }
    setShare(undefined);
    return outcome;
  };
  return { run, share };
}

function PhoneFile({ onText }: { onText: (text: string) => void }) {
  const t = useTranslations("optOuts");
  const input = useRef<HTMLInputElement>(null);
  return (
    <div>
      <input
        ref={input}
        type="file"
        accept=".csv,.txt,text/csv,text/plain"
        aria-label={t("file")}
        className="sr-only"
        tabIndex={-1}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) void file.text().then((text) => onText(phonesOf(text).join("\n")));
        }}
      />
      <Button size="sm" onClick={() => input.current?.click()}>
        <FileUp aria-hidden />
        {t("chooseFile")}
      </Button>
    </div>
  );
}

function AddedView({ outcome, onClose }: { outcome: Outcome; onClose: () => void }) {
  const t = useTranslations("optOuts");
  const { added, existing, invalid } = outcome;
  return (
    <div className="grid gap-4 text-sm">
      <p role="status">{t("outcome", { added, existing })}</p>
      {invalid.length > 0 ? (
        <div className="grid gap-2">
          <p className="text-danger">{t("invalid", { count: invalid.length })}</p>
          <Textarea
            readOnly
            aria-label={t("invalidPhones")}
            rows={4}
            className="max-h-40 font-mono text-sm"
            value={invalid.join("\n")}
          />
        </div>
      ) : null}
      <div className="flex justify-end">
        <Button variant="solid" onClick={onClose}>
          {t("done")}
        </Button>
      </div>
    </div>
  );
}
