"use client";

import { Plus, Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useCountryOptions } from "#components/forms/countries.ts";
import { type FormAction, useForm } from "#components/forms/form";
import { FolderField, TagsField } from "#components/links/tag-folder-fields";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { Choice } from "#components/ui/choice";
import { FormError } from "#components/ui/form-error";
import { InputField, SelectField } from "#components/ui/labeled";
import { Switch } from "#components/ui/switch";
import { useIsWide } from "#components/ui/use-wide.ts";
import { parseDestination } from "#lib/outreach/messages";
import {
  type CampaignDraft,
  type CampaignPartProps,
  type ColumnDraft,
  columnProblem,
  missingColumns,
  nextOf,
  utmFields,
  withColumn,
} from "./campaign-draft.ts";
import { DraftField } from "./draft-fields.tsx";
import { MessagePart } from "./message-part.tsx";
import { MessagePreview } from "./message-preview.tsx";
import { PlaceholderField } from "./placeholder-field.tsx";
import type { SampleLinks } from "./preview-text.ts";
import { PricesPart, SenderPart } from "./sender-part.tsx";
import { useTemplateProblem } from "./template-problem.ts";

interface CampaignFormProps {
  workspace: string;
  draft: CampaignDraft;
  change: (changes: Partial<CampaignDraft>) => void;
  body: Record<string, unknown>;
  /** The edited campaign; omitted for a new one. */
  id?: string;
  /** The campaign has recipients, so only its name and the days of personal data can change. */
  isFixed?: boolean;
  links: SampleLinks;
  notice: ReactNode;
  action: FormAction<{ id: string }>;
  onDone: (done: { id: string }) => void;
}

export function CampaignForm(props: CampaignFormProps) {
  const { workspace, draft, change, body, id, isFixed = false, links, notice, action } = props;
  const t = useTranslations("campaignForm");
  const common = useTranslations("common");
  const { form, pending, error, errorOf } = useForm(action, props.onDone, { values: body });
  const isWide = useIsWide();
  const part = { workspace, draft, change, errorOf };
  const preview = <MessagePreview draft={draft} links={links} {...(isFixed ? {} : { change })} />;
  return (
    <form {...form} className="grid gap-4">
      <input type="hidden" name="id" value={id ?? ""} />
      <input type="hidden" name="campaign" value={JSON.stringify(body)} />
      {notice}
      <div className="grid items-start gap-6 min-[1100px]:grid-cols-[minmax(0,1fr)_19rem]">
        <div className="grid min-w-0 gap-4">
          <GeneralPart {...part} isFixed={isFixed} isNew={id === undefined} />
          {isFixed ? null : (
            <>
              <ColumnsPart {...part} />
              <MessagePart {...part} />
            </>
          )}
          {isWide ? null : preview}
          {isFixed && links.areChecked ? (
            <Card heading={t("links")}>
              <CheckSwitch {...part} />
            </Card>
          ) : null}
          {isFixed ? null : (
            <>
              <LinksPart {...part} links={links} />
              <SenderPart {...part} />
              <PricesPart {...part} />
            </>
          )}
          <DataPart {...part} />
          <FormError>{error}</FormError>
          <Button
            type="submit"
            variant="solid"
            size="lg"
            pending={pending}
            className="justify-self-start"
          >
            {isFixed ? common("save") : t("continue")}
          </Button>
        </div>
        {isWide ? <div className="sticky top-6">{preview}</div> : null}
      </div>
    </form>
  );
}

interface GeneralPartProps extends CampaignPartProps {
  isFixed: boolean;
  isNew: boolean;
}

function GeneralPart({ isFixed, isNew, ...part }: GeneralPartProps) {
  const t = useTranslations("campaignForm");
  const { draft, change } = part;
  return (
    <Card heading={t("general")}>
      <DraftField {...part} name="name" label={t("name")} hint={t("nameHint")} autoFocus={isNew} />
      {isFixed ? null : (
        <Choice
          label={t("kind")}
          hint={t(`kindHints.${draft.kind}`)}
          name="kind"
          options={[
            { value: "marketing", label: t("kinds.marketing") },
            { value: "service", label: t("kinds.service") },
          ]}
          value={draft.kind}
          onValueChange={(kind) => change({ kind })}
        />
      )}
    </Card>
  );
}

function DataPart(part: CampaignPartProps) {
  const t = useTranslations("campaignForm");
  return (
    <Card heading={t("data")} note={t("dataNote")}>
      <div className="grid gap-4 sm:grid-cols-2">
        <DraftField
          {...part}
          name="personalDataDays"
          label={t("personalDataDays")}
          inputMode="numeric"
        />
      </div>
    </Card>
  );
}

function ColumnsPart({ draft, change, errorOf }: CampaignPartProps) {
  const t = useTranslations("campaignForm");
  const countries = useCountryOptions();
  const { columns } = draft;
  const put = (id: number, changes: Partial<ColumnDraft>) =>
    change({ columns: columns.map((one) => (one.id === id ? { ...one, ...changes } : one)) });
  return (
    <Card heading={t("columns")} note={t("columnsNote")}>
      <SelectField
        label={t("defaultCountry")}
        hint={t("defaultCountryHint")}
        error={errorOf("defaultCountry")}
        options={countries}
        value={draft.defaultCountry}
        onValueChange={(defaultCountry) => change({ defaultCountry })}
      />
      {columns.map((column, at) => (
        <ColumnRow
          key={column.id}
          column={column}
          columns={columns}
          error={errorOf(`columns.${at}.name`)}
          onChange={(changes) => put(column.id, changes)}
          onRemove={() => change({ columns: columns.filter(({ id }) => id !== column.id) })}
        />
      ))}
      <FormError>{errorOf("columns")}</FormError>
      <Button
        className="justify-self-start"
        onClick={() =>
          change({ columns: [...columns, { id: nextOf(columns), name: "", personal: true }] })
        }
      >
        <Plus aria-hidden />
        {t("addColumn")}
      </Button>
    </Card>
  );
}

interface ColumnRowProps {
  column: ColumnDraft;
  columns: readonly ColumnDraft[];
  error: string | undefined;
  onChange: (changes: Partial<ColumnDraft>) => void;
  onRemove: () => void;
}

function ColumnRow({ column, columns, error, onChange, onRemove }: ColumnRowProps) {
  const t = useTranslations("campaignForm");
  const problem = columnProblem(columns, column);
  return (
    <fieldset className="grid gap-3 rounded-lg border border-line p-3 sm:grid-cols-2">
      <legend className="sr-only">{t("column", { name: column.name })}</legend>
      <div className="flex items-start gap-2">
        <InputField
          label={t("columnName")}
          error={problem ? t(`columnProblems.${problem}`) : error}
          outerClass="flex-1"
          autoComplete="off"
          value={column.name}
          onChange={({ target }) => onChange({ name: target.value })}
        />
        <Button
          variant="ghost"
          size="icon"
          className="mt-7"
          aria-label={t("removeColumn", { name: column.name })}
          onClick={onRemove}
        >
          <Trash2 aria-hidden />
        </Button>
      </div>
      <Switch
        label={t("personal")}
        hint={t("personalHint")}
        checked={column.personal}
        onCheckedChange={(personal) => onChange({ personal })}
      />
    </fieldset>
  );
}

const primary = "primary";

interface LinksPartProps extends CampaignPartProps {
  links: SampleLinks;
}

function LinksPart(props: LinksPartProps) {
  const { workspace, draft, change, errorOf, links } = props;
  const t = useTranslations("campaignForm");
  const utm = useTranslations("linkForm.utm");
  const [first] = links.domains;
  return (
    <Card heading={t("links")} note={t("linksNote")}>
      <DestinationField {...props} />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label={t("domain")}
          error={errorOf("domain")}
          outerClass="content-start"
          options={[
            { value: primary, label: t("defaultDomain", { host: first?.host ?? "" }) },
            ...links.domains.map(({ host }) => ({ value: host, label: host })),
          ]}
          value={draft.domain || primary}
          onValueChange={(domain) => change({ domain: domain === primary ? "" : domain })}
        />
        <DraftField
          {...props}
          name="linkDays"
          label={t("linkDays")}
          hint={t("linkDaysHint")}
          inputMode="numeric"
          isOptional
        />
        <FolderField
          workspace={workspace}
          folderId={draft.folderId}
          onFolderId={(folderId) => change({ folderId })}
          error={errorOf("folderId")}
        />
        <TagsField
          workspace={workspace}
          tagIds={draft.tagIds}
          onTagIds={(tagIds) => change({ tagIds })}
          error={errorOf("tagIds")}
        />
        {utmFields.map((name) => (
          <DraftField
            {...props}
            key={name}
            name={name}
            label={t("utm", { name: utm(name) })}
            placeholder={utm(`${name}_example`)}
            isOptional
          />
        ))}
      </div>
      <Switch
        label={t("linkScheme")}
        hint={t("linkSchemeHint")}
        checked={draft.linkScheme}
        onCheckedChange={(linkScheme) => change({ linkScheme })}
      />
      {links.areChecked ? <CheckSwitch {...props} /> : null}
    </Card>
  );
}

function CheckSwitch({ draft, change }: CampaignPartProps) {
  const t = useTranslations("campaignForm");
  return (
    <Switch
      label={t("checkDestination")}
      hint={t("checkDestinationHint")}
      checked={draft.checkDestination}
      onCheckedChange={(checkDestination) => change({ checkDestination })}
    />
  );
}

function DestinationField({ draft, change, errorOf }: CampaignPartProps) {
  const t = useTranslations("campaignForm");
  const sayProblem = useTemplateProblem();
  const { destination } = draft;
  // Missing columns count as existing here, because the preview offers to add them.
  const columns = missingColumns(draft).reduce(
    (list, name) => withColumn({ ...draft, columns: list }, name),
    draft.columns,
  );
  const parsed = parseDestination(
    destination.trim(),
    columns.map(({ name, personal }) => ({ name: name.trim(), personal })),
  );
  // A URL that is still being typed is not an error yet.
  const isFinished = !parsed.ok && parsed.code !== "host_missing" && parsed.code !== "url_invalid";
  return (
    <PlaceholderField
      label={t("destination")}
      hint={t("destinationHint")}
      error={isFinished ? sayProblem(parsed) : errorOf("destination")}
      rows={1}
      inputMode="url"
      spellCheck={false}
      placeholder="https://example.com/autumn?r={recipientId}"
      className="break-all"
      value={destination}
      onChange={({ target }) => change({ destination: target.value.replace(/[\r\n]+/g, "") })}
    />
  );
}
