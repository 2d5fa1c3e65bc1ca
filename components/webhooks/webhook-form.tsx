"use client";

import { useLocale, useTranslations } from "next-intl";
import { type ReactNode, useId, useState } from "react";
import { type FormAction, useForm } from "#components/forms/form";
import { NamePicker } from "#components/links/name-picker";
import type { NamedOption } from "#components/links/names.ts";
import {
  readFolders,
  readFoldersOf,
  readTags,
  readTagsOf,
} from "#components/links/tags-and-folders.ts";
import { useNamesOf } from "#components/links/use-names.ts";
import { Checkbox } from "#components/ui/checkbox";
import { Choice } from "#components/ui/choice";
import { CopyField } from "#components/ui/copy-field";
import { DialogActions, DialogSubmit } from "#components/ui/dialog";
import { Field } from "#components/ui/field";
import { FormError } from "#components/ui/form-error";
import { Switch } from "#components/ui/switch";
import { ValueAdder, ValueChip, ValuesField } from "#components/ui/values-field";
import { camelOf } from "#lib/basics/variants/schema";
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
import {
  eventGroups,
  hasPeople,
  listEvents,
  type WebhookEventType,
} from "#lib/tenancy/webhook-events/schema";
import { InputField, SelectField } from "../ui/labeled.tsx";
import {
  bodyOf,
  draftOf,
  isFiltered,
  newDraft,
  offersEvent,
  type WebhookDraft,
} from "./webhook-draft.ts";

interface WebhookFormProps<Done> {
  workspace: string;
  hosts: readonly string[];
  save: FormAction<Done>;
  onDone: (done: Done) => void;
  edited?: Webhook;
}

interface PartProps {
  draft: WebhookDraft;
  change: (changes: Partial<WebhookDraft>) => void;
  errorOf: (name: string) => string | undefined;
}

/** The fields of a webhook. An existing one cannot change between program and chat, because their secrets differ. */
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
  signed: boolean;
}

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

interface EventFieldsProps {
  format: WebhookFormat;
  events: readonly WebhookEventType[];
  onEvents: (events: WebhookEventType[]) => void;
  error: string | undefined;
}

function EventFields({ format, events, onEvents, error }: EventFieldsProps) {
  const t = useTranslations("webhooks");
  const errorId = useId();
  const toggle = (type: WebhookEventType, on: boolean) =>
    onEvents(on ? [...events, type] : events.filter((one) => one !== type));
  return (
    <fieldset className="grid min-w-0 gap-1.5" aria-describedby={error ? errorId : undefined}>
      <legend className="mb-1.5 font-medium text-sm">{t("eventsLabel")}</legend>
      <div className="grid gap-4 rounded-lg border border-line p-3 sm:grid-cols-2">
        {eventGroups.map((group) => (
          <div key={group} className="grid content-start gap-2">
            <p className="font-medium text-ink-muted text-xs">{t(`groups.${group}`)}</p>
            {listEvents(group)
              .filter((type) => offersEvent(format, type))
              .map((type) => (
                <Checkbox
                  key={type}
                  label={t(`events.${camelOf(type)}`)}
                  checked={events.includes(type)}
                  onCheckedChange={(on) => toggle(type, on === true)}
                />
              ))}
          </div>
        ))}
      </div>
      {error ? (
        <p id={errorId} className="text-danger text-sm">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}

interface FilterFieldsProps {
  workspace: string;
  hosts: readonly string[];
  draft: WebhookDraft;
  change: (changes: Partial<WebhookDraft>) => void;
  errorOf: (name: string) => string | undefined;
}

function FilterFields({ workspace, hosts, draft, change, errorOf }: FilterFieldsProps) {
  const t = useTranslations("webhooks");
  return (
    <div className="grid gap-4">
      <Field label={t("domains")} error={errorOf("domains")}>
        {(control) => (
          <ValuesField
            control={control}
            options={hosts.map((host) => ({ value: host, label: host }))}
            values={draft.domains}
            onValues={(domains) => change({ domains })}
            texts={{
              list: t("domains"),
              add: t("add"),
              search: t("search"),
              nothing: t("nothing"),
              remove: (name) => t("remove", { name }),
            }}
          />
        )}
      </Field>
      <NamesField
        label={t("folders")}
        ids={draft.folderIds}
        onIds={(folderIds) => change({ folderIds })}
        read={(search) => readFolders(workspace, search)}
        readOf={(ids) => readFoldersOf(workspace, ids)}
        error={errorOf("folderIds")}
      />
      <NamesField
        label={t("tags")}
        ids={draft.tagIds}
        onIds={(tagIds) => change({ tagIds })}
        read={(search) => readTags(workspace, search)}
        readOf={(ids) => readTagsOf(workspace, ids)}
        error={errorOf("tagIds")}
      />
      <Switch
        label={t("chosenLinks")}
        hint={t("chosenLinksHint")}
        checked={draft.chosenLinks}
        onCheckedChange={(chosenLinks) => change({ chosenLinks })}
      />
    </div>
  );
}

interface NamesFieldProps {
  label: string;
  ids: readonly string[];
  onIds: (ids: string[]) => void;
  read: (search: string) => Promise<NamedOption[]>;
  readOf: (ids: string[]) => Promise<NamedOption[]>;
  error: string | undefined;
}

function NamesField({ label, ids, onIds, read, readOf, error }: NamesFieldProps) {
  const t = useTranslations("webhooks");
  const { nameOf, learn } = useNamesOf(ids, readOf);
  const without = (id: string) => ids.filter((one) => one !== id);
  return (
    <Field label={label} error={error}>
      {(control) => (
        <div className="flex min-h-9 flex-wrap items-center gap-1.5">
          {ids.map(nameOf).map(({ id, name, color = "gray" }) => (
            <ValueChip
              key={id}
              label={name}
              tone={color}
              remove={t("remove", { name })}
              onRemove={() => onIds(without(id))}
            />
          ))}
          <ValueAdder control={control} label={t("add")} list={label}>
            <NamePicker
              label={t("search")}
              read={read}
              markOf={(id) => (ids.includes(id) ? "all" : "none")}
              onPick={(named) => {
                learn(named);
                onIds(ids.includes(named.id) ? without(named.id) : [...ids, named.id]);
              }}
            />
          </ValueAdder>
        </div>
      )}
    </Field>
  );
}

/** A new secret, which the dashboard only shows now. */
export function WebhookSecret({ secret, children }: { secret: string; children: ReactNode }) {
  const t = useTranslations("webhooks");
  return (
    <div className="grid min-w-0 gap-4">
      <CopyField
        label={t("secret")}
        text={secret}
        copy={t("copySecret")}
        className="font-mono text-sm"
      />
      <p className="text-ink-muted text-sm">
        {t.rich("verifyText", {
          guide: (text) => (
            <a
              href="/docs/webhooks"
              target="_blank"
              rel="noreferrer"
              className="underline underline-offset-4"
            >
              {text}
            </a>
          ),
        })}
      </p>
      <DialogActions>{children}</DialogActions>
    </div>
  );
}
