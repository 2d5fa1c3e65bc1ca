"use client";

import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { type FormAction, useForm } from "#components/forms/form";
import { Choice } from "#components/ui/choice";
import { DialogSubmit } from "#components/ui/dialog-submit";
import { FormError } from "#components/ui/form-error";
import { Switch } from "#components/ui/switch";
import {
  canSign,
  chatFormats,
  isChat,
  programFormats,
  type Webhook,
  type WebhookFormat,
  webhookFormats,
} from "#lib/outreach/webhooks/schema";
import { locales } from "#lib/platform/messages/schema";
import { hasPeople } from "#lib/tenancy/webhook-events/schema";
import { InputField, SelectField } from "../ui/labeled.tsx";
import { EventFields } from "./event-fields.tsx";
import { FilterFields } from "./filter-fields.tsx";
import { bodyOf, draftOf, isFiltered, newDraft, type WebhookDraft } from "./webhook-draft.ts";

interface WebhookFormProps<Done> {
  workspace: string;
  hosts: readonly string[];
  save: FormAction<Done>;
  onDone: (done: Done) => void;
  /** Undefined: a new one. */
  edited?: Webhook;
}

interface PartProps {
  draft: WebhookDraft;
  change: (changes: Partial<WebhookDraft>) => void;
  errorOf: (name: string) => string | undefined;
}

/** The fields of a webhook. A program stays a program and a chat a chat: their secrets differ. */
export function WebhookForm<Done>({
  workspace,
  hosts,
  save,
  onDone,
  edited,
}: WebhookFormProps<Done>) {
  const t = useTranslations("webhooks");
  const locale = useLocale();
  const [draft, setDraft] = useState(edited ? draftOf(edited) : newDraft(locale));
  const [limited, setLimited] = useState(isFiltered(draft));
  const none = { domains: [], folderIds: [], tagIds: [], chosenLinks: false };
  const body = bodyOf(limited ? draft : { ...draft, ...none });
  const { form, pending, error, errorOf } = useForm(save, onDone, { values: body });
  const change = (changes: Partial<WebhookDraft>) => setDraft({ ...draft, ...changes });
  const part = { draft, change, errorOf };
  return (
    <form {...form} className="grid gap-5">
      <input type="hidden" name="webhook" value={JSON.stringify(body)} />
      <FormError>{error}</FormError>
      <TargetFields {...part} formats={formatsFor(edited)} signed={edited?.signed ?? false} />
      <EventFields
        format={draft.format}
        events={draft.events}
        onEvents={(events) => change({ events })}
        error={errorOf("events")}
      />
      <div className="grid gap-4">
        <Switch
          label={t("limited")}
          hint={t("limitedHint")}
          checked={limited}
          onCheckedChange={setLimited}
        />
        {limited ? <FilterFields {...part} workspace={workspace} hosts={hosts} /> : null}
      </div>
      {isChat(draft.format) || !draft.events.some(hasPeople) ? null : (
        <Switch
          label={t("people")}
          hint={t("peopleHint")}
          checked={draft.people}
          onCheckedChange={(people) => change({ people })}
        />
      )}
      {isChat(draft.format) ? null : (
        <Switch
          label={t("ordered")}
          hint={t("orderedHint")}
          checked={draft.ordered}
          onCheckedChange={(ordered) => change({ ordered })}
        />
      )}
      <DialogSubmit pending={pending}>{t(edited ? "save" : "create")}</DialogSubmit>
    </form>
  );
}

function formatsFor(edited: Webhook | undefined): readonly WebhookFormat[] {
  if (!edited) return webhookFormats;
  return isChat(edited.format) ? chatFormats : programFormats;
}

interface TargetFieldsProps extends PartProps {
  formats: readonly WebhookFormat[];
  /** It has a signing secret already. */
  signed: boolean;
}

/** Where the events go, and how. */
function TargetFields({ draft, change, errorOf, formats, signed }: TargetFieldsProps) {
  const t = useTranslations("webhooks");
  const { format } = draft;
  return (
    <>
      <SelectField
        label={t("format")}
        hint={t(`formatHints.${format}`)}
        value={format}
        onValueChange={(value) =>
          change({ format: formats.find((one) => one === value) ?? format })
        }
        options={formats.map((value) => ({ value, label: t(`formats.${value}`) }))}
      />
      <InputField
        label={t("name")}
        error={errorOf("name")}
        autoComplete="off"
        required
        value={draft.name}
        onChange={({ target }) => change({ name: target.value })}
      />
      <InputField
        label={t("url")}
        hint={t("urlHint")}
        error={errorOf("url")}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        required
        placeholder={placeholders[format]}
        value={draft.url}
        onChange={({ target }) => change({ url: target.value })}
      />
      {canSign(format) ? (
        <InputField
          label={t("signingSecret")}
          hint={t(signed ? "signingSecretKept" : "signingSecretHint")}
          error={errorOf("signingSecret")}
          type="password"
          autoComplete="off"
          className="font-mono"
          value={draft.signingSecret}
          onChange={({ target }) => change({ signingSecret: target.value })}
        />
      ) : null}
      {isChat(format) ? (
        <Choice
          label={t("language")}
          name="language"
          value={draft.language}
          onValueChange={(language) => change({ language })}
          options={locales.map((value) => ({ value, label: t(`languages.${value}`) }))}
        />
      ) : null}
    </>
  );
}

const placeholders: Readonly<Record<WebhookFormat, string>> = {
  standard: "https://example.com/hook",
  dub: "https://example.com/hook",
  slack: "https://hooks.slack.com/services/…",
  wecom: "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=…",
  dingtalk: "https://oapi.dingtalk.com/robot/send?access_token=…",
  feishu: "https://open.feishu.cn/open-apis/bot/v2/hook/…",
};
