"use client";

import { useTranslations } from "next-intl";
import { FolderField, TagsField } from "#components/links/tag-folder-fields";
import { Card } from "#components/ui/card";
import { Switch } from "#components/ui/switch";
import { parseDestination } from "#lib/outreach/messages";
import { SelectField, TextareaField } from "../ui/labeled.tsx";
import { missingColumns, utmFields, withColumn } from "./campaign-draft.ts";
import { DraftField } from "./draft-fields.tsx";
import type { CampaignPartProps } from "./form-parts.ts";
import type { SampleLinks } from "./preview-text.ts";
import { useTemplateProblem } from "./template-problem.ts";

const primary = "primary";

interface LinksPartProps extends CampaignPartProps {
  links: SampleLinks;
}

/** Where the links of the recipients lead, and how they are stored. */
export function LinksPart(props: LinksPartProps) {
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
    </Card>
  );
}

function DestinationField({ draft, change, errorOf }: CampaignPartProps) {
  const t = useTranslations("campaignForm");
  const sayProblem = useTemplateProblem();
  const { destination } = draft;
  // Columns that are missing are offered by the preview.
  const columns = missingColumns(draft).reduce(
    (list, name) => withColumn({ ...draft, columns: list }, name),
    draft.columns,
  );
  const parsed = parseDestination(
    destination.trim(),
    columns.map(({ name, personal }) => ({ name: name.trim(), personal })),
  );
  // Half a URL is no mistake yet.
  const isFinished = !parsed.ok && parsed.code !== "host_missing" && parsed.code !== "url_invalid";
  return (
    <TextareaField
      label={t("destination")}
      hint={t("destinationHint")}
      error={isFinished ? sayProblem(parsed) : errorOf("destination")}
      rows={1}
      inputMode="url"
      spellCheck={false}
      placeholder="https://example.com/autumn?r={recipientId}"
      className="min-h-9 break-all pointer-coarse:min-h-11"
      value={destination}
      onChange={({ target }) => change({ destination: target.value.replace(/[\r\n]+/g, "") })}
    />
  );
}
