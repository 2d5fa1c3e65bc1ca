"use client";

import { Pencil, Plus, SearchX, Tag as TagIcon, Trash2 } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { startTransition, useOptimistic, useState } from "react";
import type { Tag } from "#lib/tags/schema";
import type { FormAction, FormAnswer } from "../forms/form.tsx";
import { AddressSearch } from "../shell/address-filter.tsx";
import { PageHead } from "../shell/page-head.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Table, TableCell, TableHead, TableRow } from "../ui/table.tsx";
import { toast } from "../ui/toast.tsx";
import { TagDialog } from "./tag-dialog.tsx";

/** A tag and on how many links it is. */
export interface ListedTag extends Tag {
  links: number;
}

interface TagManagerProps {
  tags: readonly ListedTag[];
  /** Links are counted so far. */
  countedMax: number;
  search: string;
  /** Null: the person may only look. */
  acts: {
    save: FormAction<string>;
    remove: (id: string) => Promise<FormAnswer<null>>;
  } | null;
}

export function TagManager({ tags, countedMax, search, acts }: TagManagerProps) {
  const t = useTranslations("tags");
  const format = useFormatter();
  const [shown, hide] = useOptimistic(tags, (before, id: string) =>
    before.filter((tag) => tag.id !== id),
  );
  const [editing, setEditing] = useState<{ tag: ListedTag | null; open: boolean }>();
  const [deleting, setDeleting] = useState<{ tag: ListedTag; open: boolean }>();

  function remove({ id, name }: ListedTag) {
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
          <Button look="solid" onClick={() => setEditing({ tag: null, open: true })}>
            <Plus aria-hidden />
            {t("create")}
          </Button>
        ) : null}
      </PageHead>
      {tags.length > 0 || search !== "" ? (
        <AddressSearch label={t("search")} placeholder={t("search")} searching={t("searching")} />
      ) : null}
      {shown.length > 0 ? (
        <TagTable
          tags={shown}
          counted={counted}
          onEdit={acts ? (tag) => setEditing({ tag, open: true }) : null}
          onDelete={acts ? (tag) => setDeleting({ tag, open: true }) : null}
        />
      ) : (
        <Nothing search={search} />
      )}
      {editing && acts ? (
        <TagDialog
          key={editing.tag?.id ?? "new"}
          tag={editing.tag}
          already={tags.length}
          save={acts.save}
          open={editing.open}
          onOpenChange={(open) => setEditing({ ...editing, open })}
        />
      ) : null}
      {deleting ? (
        <ConfirmDialog
          open={deleting.open}
          onOpenChange={(open) => setDeleting({ ...deleting, open })}
          title={t("deleteTitle", { name: deleting.tag.name })}
          action={t("deleteAction")}
          onConfirm={() => remove(deleting.tag)}
        >
          {t("deleteText", { links: counted(deleting.tag.links) })}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

function Nothing({ search }: { search: string }) {
  const t = useTranslations("tags");
  return search === "" ? (
    <EmptyState icon={<TagIcon aria-hidden />} title={t("emptyTitle")}>
      {t("emptyText")}
    </EmptyState>
  ) : (
    <EmptyState icon={<SearchX aria-hidden />} title={t("nothingTitle")}>
      {t("nothingText", { search })}
    </EmptyState>
  );
}

interface TagTableProps {
  tags: readonly ListedTag[];
  counted: (links: number) => string;
  onEdit: ((tag: ListedTag) => void) | null;
  onDelete: ((tag: ListedTag) => void) | null;
}

function TagTable({ tags, counted, onEdit, onDelete }: TagTableProps) {
  const t = useTranslations("tags");
  const common = useTranslations("common");
  return (
    <Table caption={t("heading")}>
      <thead>
        <tr>
          <TableHead className="w-full">{t("columnName")}</TableHead>
          <TableHead className="text-right">{t("columnLinks")}</TableHead>
          {onEdit ? (
            <TableHead>
              <span className="sr-only">{t("columnActions")}</span>
            </TableHead>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {tags.map((tag) => (
          <TableRow key={tag.id}>
            <TableCell>
              <Badge tone={tag.color} className="max-w-44 sm:max-w-80">
                {tag.name}
              </Badge>
            </TableCell>
            <TableCell className="text-right text-ink-muted tabular-nums">
              {counted(tag.links)}
            </TableCell>
            {onEdit && onDelete ? (
              <TableCell className="text-right">
                <Button
                  look="ghost"
                  size="icon"
                  aria-label={`${common("edit")}: ${tag.name}`}
                  onClick={() => onEdit(tag)}
                >
                  <Pencil aria-hidden />
                </Button>
                <Button
                  look="ghost"
                  size="icon"
                  aria-label={`${common("delete")}: ${tag.name}`}
                  onClick={() => onDelete(tag)}
                >
                  <Trash2 aria-hidden />
                </Button>
              </TableCell>
            ) : null}
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
