"use client";

import { Folder as FolderIcon, Pencil, Plus, SearchX, Trash2 } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { startTransition, useOptimistic, useState } from "react";
import type { Folder } from "#lib/folders/schema";
import type { FormAction, FormAnswer } from "../forms/form.tsx";
import { AddressSearch } from "../shell/address-filter.tsx";
import { PageHead } from "../shell/page-head.tsx";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Table, TableCell, TableHead, TableRow } from "../ui/table.tsx";
import { toast } from "../ui/toast.tsx";
import { FolderDialog } from "./folder-dialog.tsx";

/** A folder, and what the person may do with it. */
export interface ListedFolder extends Folder {
  links: number;
  changeable: boolean;
}

interface FolderManagerProps {
  folders: readonly ListedFolder[];
  /** Links are counted so far. */
  countedMax: number;
  search: string;
  /** Null: the person may only look. */
  acts: {
    save: FormAction<string>;
    remove: (id: string) => Promise<FormAnswer<null>>;
  } | null;
}

export function FolderManager({ folders, countedMax, search, acts }: FolderManagerProps) {
  const t = useTranslations("folders");
  const format = useFormatter();
  const [shown, hide] = useOptimistic(folders, (before, id: string) =>
    before.filter((folder) => folder.id !== id),
  );
  const [editing, setEditing] = useState<{ folder: ListedFolder | null; open: boolean }>();
  const [deleting, setDeleting] = useState<{ folder: ListedFolder; open: boolean }>();

  function remove({ id, name }: ListedFolder) {
    startTransition(async () => {
      hide(id);
      const answer = await acts?.remove(id).catch(() => undefined);
      if (answer?.ok) toast.success(t("deleted", { name }));
      else toast.error(t("notDeleted", { name }));
    });
  }

  const counted = (links: number) =>
    links > countedMax
      ? t("moreThan", { count: format.number(countedMax) })
      : t("linkCount", { count: links });
  return (
    <>
      <PageHead heading={t("heading")} note={t("note")}>
        {acts ? (
          <Button look="solid" onClick={() => setEditing({ folder: null, open: true })}>
            <Plus aria-hidden />
            {t("create")}
          </Button>
        ) : null}
      </PageHead>
      {folders.length > 0 || search !== "" ? (
        <AddressSearch label={t("search")} placeholder={t("search")} searching={t("searching")} />
      ) : null}
      {shown.length > 0 ? (
        <FolderTable
          folders={shown}
          counted={counted}
          onEdit={acts ? (folder) => setEditing({ folder, open: true }) : null}
          onDelete={acts ? (folder) => setDeleting({ folder, open: true }) : null}
        />
      ) : (
        <Nothing search={search} />
      )}
      {editing && acts ? (
        <FolderDialog
          key={editing.folder?.id ?? "new"}
          folder={editing.folder}
          save={acts.save}
          open={editing.open}
          onOpenChange={(open) => setEditing({ ...editing, open })}
        />
      ) : null}
      {deleting ? (
        <ConfirmDialog
          open={deleting.open}
          onOpenChange={(open) => setDeleting({ ...deleting, open })}
          title={t("deleteTitle", { name: deleting.folder.name })}
          action={t("deleteAction")}
          onConfirm={() => remove(deleting.folder)}
        >
          {t("deleteText", { links: counted(deleting.folder.links) })}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

function Nothing({ search }: { search: string }) {
  const t = useTranslations("folders");
  return search === "" ? (
    <EmptyState icon={<FolderIcon aria-hidden />} title={t("emptyTitle")}>
      {t("emptyText")}
    </EmptyState>
  ) : (
    <EmptyState icon={<SearchX aria-hidden />} title={t("nothingTitle")}>
      {t("nothingText", { search })}
    </EmptyState>
  );
}

interface FolderTableProps {
  folders: readonly ListedFolder[];
  counted: (links: number) => string;
  onEdit: ((folder: ListedFolder) => void) | null;
  onDelete: ((folder: ListedFolder) => void) | null;
}

function FolderTable({ folders, counted, onEdit, onDelete }: FolderTableProps) {
  const t = useTranslations("folders");
  const common = useTranslations("common");
  return (
    <Table caption={t("heading")}>
      <thead>
        <tr>
          <TableHead className="w-full">{t("columnName")}</TableHead>
          <TableHead className="hidden sm:table-cell">{t("columnAccess")}</TableHead>
          <TableHead className="text-right">{t("columnLinks")}</TableHead>
          {onEdit ? (
            <TableHead>
              <span className="sr-only">{t("columnActions")}</span>
            </TableHead>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {folders.map((folder) => (
          <TableRow key={folder.id}>
            <TableCell className="py-2">
              <div className="grid max-w-36 sm:max-w-96">
                <span className="truncate font-medium">{folder.name}</span>
                {folder.description ? (
                  <span className="truncate text-ink-muted text-xs">{folder.description}</span>
                ) : null}
              </div>
            </TableCell>
            <TableCell className="hidden text-ink-muted sm:table-cell">
              {t(`access.${folder.accessLevel ?? "none"}`)}
            </TableCell>
            <TableCell className="text-right text-ink-muted tabular-nums">
              {counted(folder.links)}
            </TableCell>
            {onEdit && onDelete ? (
              <TableCell className="text-right">
                {folder.changeable ? (
                  <>
                    <Button
                      look="ghost"
                      size="icon"
                      aria-label={`${common("edit")}: ${folder.name}`}
                      onClick={() => onEdit(folder)}
                    >
                      <Pencil aria-hidden />
                    </Button>
                    <Button
                      look="ghost"
                      size="icon"
                      aria-label={`${common("delete")}: ${folder.name}`}
                      onClick={() => onDelete(folder)}
                    >
                      <Trash2 aria-hidden />
                    </Button>
                  </>
                ) : null}
              </TableCell>
            ) : null}
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
