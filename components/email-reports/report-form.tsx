"use client";

import { Eye } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { type FormAction, type FormAnswer, useAction, useForm } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Choice } from "#components/ui/choice";
import { DialogSubmit } from "#components/ui/dialog";
import { Field } from "#components/ui/field";
import { FormError } from "#components/ui/form-error";
import { SelectField, TextareaField } from "#components/ui/labeled";
import { ValuesField } from "#components/ui/values-field";
import {
  type EmailReport,
  frequencies,
  type ReportOptions,
} from "#lib/outreach/email-reports/schema";
import { locales } from "#lib/platform/messages/schema";
import {
  bodyOf,
  draftOf,
  newDraft,
  optionsOf,
  type ReportDraft,
  type ReportSubject,
} from "./report-draft.ts";

export interface ReportFormProps {
  subjects: readonly ReportSubject[];
  members: readonly { value: string; label: string }[];
  ownId: string;
  preview: (options: ReportOptions) => Promise<FormAnswer<string>>;
}

interface OneReportProps extends ReportFormProps {
  save: FormAction<null>;
  onDone: () => void;
  edited?: EmailReport | undefined;
}

export function ReportForm({ edited, save, onDone, ...props }: OneReportProps) {
  const t = useTranslations("emailReports");
  const locale = useLocale();
  const [draft, setDraft] = useState(edited ? draftOf(edited) : newDraft(locale, props.ownId));
  const body = bodyOf(draft);
  const { form, pending, error, errorOf } = useForm(save, onDone, { values: body });
  const change = (changes: Partial<ReportDraft>) => setDraft({ ...draft, ...changes });
  return (
    <form {...form} className="grid gap-5">
      <input type="hidden" name="report" value={JSON.stringify(body)} />
      <FormError>{error}</FormError>
      <SelectField
        label={t("subject")}
        value={draft.subject}
        onValueChange={(subject) => change({ subject })}
        options={[
          ...props.subjects.map(({ value, name }) => ({ value, label: name })),
          ...(props.subjects.some(({ value }) => value === draft.subject)
            ? []
            : [{ value: draft.subject, label: t("missingSubject") }]),
        ]}
      />
      <Choice
        label={t("frequency")}
        name="frequency"
        hint={t(`frequencyHints.${draft.frequency}`)}
        value={draft.frequency}
        onValueChange={(frequency) => change({ frequency })}
        options={frequencies.map((value) => ({ value, label: t(`frequencies.${value}`) }))}
      />
      <Choice
        label={t("language")}
        name="locale"
        value={draft.locale}
        onValueChange={(value) => change({ locale: value })}
        options={locales.map((value) => ({ value, label: t(`languages.${value}`) }))}
      />
      <Field label={t("members")} hint={t("membersHint")} error={errorOf("recipients")}>
        {(control) => (
          <ValuesField
            control={control}
            options={props.members}
            values={draft.userIds}
            onValues={(userIds) => change({ userIds })}
            texts={{
              list: t("members"),
              add: t("add"),
              search: t("search"),
              nothing: t("nothing"),
              remove: (name) => t("removeMember", { name }),
            }}
          />
        )}
      </Field>
      <TextareaField
        label={t("emails")}
        optional={t("optional")}
        hint={t("emailsHint")}
        error={errorOf("emails")}
        rows={3}
        spellCheck={false}
        autoComplete="off"
        value={draft.emails}
        onChange={({ target }) => change({ emails: target.value })}
      />
      <Preview key={JSON.stringify(optionsOf(draft))} draft={draft} preview={props.preview} />
      <DialogSubmit pending={pending}>{t(edited ? "save" : "create")}</DialogSubmit>
    </form>
  );
}

/** The email itself. It has no scripts, and the frame runs none. */
function Preview({ draft, preview }: Pick<ReportFormProps, "preview"> & { draft: ReportDraft }) {
  const t = useTranslations("emailReports");
  const runAction = useAction();
  const [html, setHtml] = useState<string>();
  const [pending, setPending] = useState(false);
  const [height, setHeight] = useState(400);

  async function show() {
    setPending(true);
    const shown = await runAction(() => preview(optionsOf(draft)));
    setPending(false);
    if (shown) setHtml(shown.done);
  }

  if (html === undefined) {
    return (
      <div>
        <Button type="button" pending={pending} onClick={() => void show()}>
          <Eye aria-hidden />
          {t("preview")}
        </Button>
      </div>
    );
  }
  return (
    <iframe
      title={t("previewTitle")}
      srcDoc={html}
      sandbox="allow-same-origin"
      style={{ height }}
      className="w-full rounded-lg border border-line"
      onLoad={({ currentTarget }) =>
        setHeight(currentTarget.contentDocument?.documentElement.scrollHeight ?? height)
      }
    />
  );
}
