"use client";

import { Megaphone, Pencil, Plus, Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { startTransition, useOptimistic, useState } from "react";
import { utmNames } from "#lib/links/schema";
import type { UtmTemplate } from "#lib/utm/schema";
import type { FormAction, FormAnswer } from "../forms/form.tsx";
import { PageHead } from "../shell/page-head.tsx";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Table, TableCell, TableHead, TableRow } from "../ui/table.tsx";
import { toast } from "../ui/toast.tsx";
import { UtmDialog } from "./utm-dialog.tsx";

interface UtmManagerProps {
  templates: readonly UtmTemplate[];
  /** Null: the person may only look. */
  acts: {
    save: FormAction<string>;
    remove: (id: string) => Promise<FormAnswer<null>>;
  } | null;
}

/** The templates of campaign parameters of a workspace. */
export function UtmManager({ templates, acts }: UtmManagerProps) {
  const t = useTranslations("utm");
  const [shown, hide] = useOptimistic(templates, (before, id: string) =>
    before.filter((template) => template.id !== id),
  );
  const [editing, setEditing] = useState<{ template: UtmTemplate | null; open: boolean }>();
  const [deleting, setDeleting] = useState<{ template: UtmTemplate; open: boolean }>();

  function remove({ id, name }: UtmTemplate) {
    startTransition(async () => {
      hide(id);
      const answer = await acts?.remove(id).catch(() => undefined);
      if (answer?.ok) toast.success(t("deleted", { name }));
      else toast.error(t("notDeleted", { name }));
    });
  }

  const create = acts ? (
    <Button look="solid" onClick={() => setEditing({ template: null, open: true })}>
      <Plus aria-hidden />
      {t("create")}
    </Button>
  ) : null;
  return (
    <>
      <PageHead heading={t("heading")} note={t("note")}>
        {create}
      </PageHead>
      {shown.length > 0 ? (
        <UtmTable
          templates={shown}
          onEdit={acts ? (template) => setEditing({ template, open: true }) : null}
          onDelete={acts ? (template) => setDeleting({ template, open: true }) : null}
        />
      ) : (
        <EmptyState icon={<Megaphone aria-hidden />} title={t("emptyTitle")}>
          {t("emptyText")}
        </EmptyState>
      )}
      {editing && acts ? (
        <UtmDialog
          key={editing.template?.id ?? "new"}
          template={editing.template}
          save={acts.save}
          open={editing.open}
          onOpenChange={(open) => setEditing({ ...editing, open })}
        />
      ) : null}
      {deleting ? (
        <ConfirmDialog
          open={deleting.open}
          onOpenChange={(open) => setDeleting({ ...deleting, open })}
          title={t("deleteTitle", { name: deleting.template.name })}
          action={t("deleteAction")}
          onConfirm={() => remove(deleting.template)}
        >
          {t("deleteText")}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

interface UtmTableProps {
  templates: readonly UtmTemplate[];
  onEdit: ((template: UtmTemplate) => void) | null;
  onDelete: ((template: UtmTemplate) => void) | null;
}

function UtmTable({ templates, onEdit, onDelete }: UtmTableProps) {
  const t = useTranslations("utm");
  const common = useTranslations("common");
  return (
    <Table caption={t("heading")}>
      <thead>
        <tr>
          <TableHead>{t("name")}</TableHead>
          <TableHead className="w-full">{t("columnValues")}</TableHead>
          {onEdit ? (
            <TableHead>
              <span className="sr-only">{t("columnActions")}</span>
            </TableHead>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {templates.map((template) => (
          <TableRow key={template.id}>
            <TableCell className="max-w-32 truncate font-medium sm:max-w-60">
              {template.name}
            </TableCell>
            <TableCell className="max-w-0 truncate text-ink-muted">
              {utmNames
                .map((name) => template[name])
                .filter(Boolean)
                .join(" · ")}
            </TableCell>
            {onEdit && onDelete ? (
              <TableCell className="whitespace-nowrap text-right">
                <Button
                  look="ghost"
                  size="icon"
                  aria-label={`${common("edit")}: ${template.name}`}
                  onClick={() => onEdit(template)}
                >
                  <Pencil aria-hidden />
                </Button>
                <Button
                  look="ghost"
                  size="icon"
                  aria-label={`${common("delete")}: ${template.name}`}
                  onClick={() => onDelete(template)}
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
