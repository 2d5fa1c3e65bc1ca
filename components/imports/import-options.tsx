"use client";

import { useTranslations } from "next-intl";
import { FolderField, TagsField } from "#components/links/tag-folder-fields";
import { Card } from "#components/ui/card";
import { Switch } from "#components/ui/switch";
import type { ChangeImport, ImportOptions } from "#lib/transfer/imports/schema";
import { SelectField } from "../ui/labeled.tsx";

interface ImportOptionsCardProps {
  workspace: string;
  hosts: readonly string[];
  options: ImportOptions;
  /** False: its columns and domains are known. */
  isFile: boolean;
  onOptions: (options: NonNullable<ChangeImport["options"]>) => void;
}

const primary = "primary";
const skipRow = "skip";

/** Options for every row. */
export function ImportOptionsCard(props: ImportOptionsCardProps) {
  const { workspace, options, isFile, onOptions } = props;
  const t = useTranslations("imports");
  return (
    <Card heading={t("options")} note={t("optionsNote")}>
      {isFile ? (
        <Switch
          label={t("heading1")}
          hint={t("heading1Hint")}
          checked={options.heading}
          onCheckedChange={(heading) => onOptions({ heading })}
        />
      ) : null}
      <div className="grid gap-4 sm:grid-cols-2">
        {isFile ? <DomainFields {...props} /> : null}
        <SelectField
          label={t("onTakenKey")}
          options={[
            { value: "refuse", label: t("takenRefuse") },
            { value: "generate", label: t("takenGenerate") },
          ]}
          value={options.onTakenKey}
          onValueChange={(value) =>
            onOptions({ onTakenKey: value === "generate" ? "generate" : "refuse" })
          }
        />
        <SelectField
          label={t("onMissingName")}
          options={[
            { value: "make", label: t("missingMake") },
            { value: "refuse", label: t("takenRefuse") },
          ]}
          value={options.onMissingName}
          onValueChange={(value) =>
            onOptions({ onMissingName: value === "make" ? "make" : "refuse" })
          }
        />
        <FolderField
          workspace={workspace}
          folderId={options.folderId ?? ""}
          onFolderId={(id) => onOptions({ folderId: id === "" ? null : id })}
        />
        <TagsField
          workspace={workspace}
          tagIds={options.tagIds}
          onTagIds={(tagIds) => onOptions({ tagIds })}
        />
      </div>
    </Card>
  );
}

/** For rows without a domain, and for those with one that the workspace does not have. */
function DomainFields({ hosts, options, onOptions }: ImportOptionsCardProps) {
  const t = useTranslations("imports");
  return (
    <>
      <SelectField
        label={t("domain")}
        options={[
          { value: primary, label: t("primaryDomain") },
          ...hosts.map((host) => ({ value: host, label: host })),
        ]}
        value={options.domain ?? primary}
        onValueChange={(value) => onOptions({ domain: value === primary ? null : value })}
      />
      <SelectField
        label={t("otherDomain")}
        options={[
          { value: skipRow, label: t("takenRefuse") },
          ...hosts.map((host) => ({ value: host, label: t("otherDomainUse", { host }) })),
        ]}
        value={options.otherDomain ?? skipRow}
        onValueChange={(value) => onOptions({ otherDomain: value === skipRow ? null : value })}
      />
    </>
  );
}
