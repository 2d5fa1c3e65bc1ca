"use client";

import { Folder as FolderIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import {
  type FormFields,
  type NamedActions,
  NamedManager,
  useLinkCount,
} from "#components/named/named-manager";
import type { Folder } from "#lib/links/folders/schema";
import { SelectField, TextareaField } from "../ui/labeled.tsx";

const levels = ["write", "read", "none"] as const;

export interface ListedFolder extends Folder {
  links: number;
  changeable: boolean;
}

interface FolderManagerProps {
  folders: readonly ListedFolder[];
  countedMax: number;
  search: string;
  actions: NamedActions | null;
}

export function FolderManager({ folders, countedMax, search, actions }: FolderManagerProps) {
  const t = useTranslations("folders");
  const counted = useLinkCount(countedMax);
  return (
    <NamedManager
      messages="folders"
      icon={<FolderIcon aria-hidden />}
      things={folders}
      search={{
        text: search,
        label: t("search"),
        nothingTitle: t("nothingTitle"),
        nothingText: t("nothingText", { search }),
      }}
      columns={[
        {
          heading: t("columnName"),
          headClass: "w-full",
          cellClass: "py-2",
          cell: ({ name, description }) => (
            <div className="grid max-w-36 sm:max-w-96">
              <span className="truncate font-medium">{name}</span>
              {description ? (
                <span className="truncate text-ink-muted text-xs">{description}</span>
              ) : null}
            </div>
          ),
        },
        {
          heading: t("columnAccess"),
          headClass: "hidden sm:table-cell",
          cellClass: "hidden text-ink-muted sm:table-cell",
          cell: ({ accessLevel }) => t(`access.${accessLevel ?? "none"}`),
        },
        {
          heading: t("columnLinks"),
          headClass: "text-right",
          cellClass: "text-right text-ink-muted tabular-nums",
          cell: ({ links }) => counted(links),
        },
      ]}
      isChangeable={({ changeable }) => changeable}
      loss={({ links }) => t("deleteText", { links: counted(links) })}
      fields={(folder, form) => <FolderFields folder={folder} form={form} />}
      actions={actions}
    />
  );
}

function FolderFields({ folder, form }: { folder: Folder | null; form: FormFields }) {
  const t = useTranslations("folders");
  const common = useTranslations("common");
  const { errorOf, typed } = form;
  return (
    <>
      <TextareaField
        label={t("description")}
        optional={common("optional")}
        error={errorOf("description")}
        name="description"
        rows={2}
        defaultValue={typed("description", folder?.description ?? "")}
      />
      <SelectField
        label={t("accessOf")}
        name="accessLevel"
        defaultValue={typed("accessLevel", folder ? (folder.accessLevel ?? "none") : "write")}
        options={levels.map((value) => ({ value, label: t(`access.${value}`) }))}
      />
    </>
  );
}
