"use client";

import { useTranslations } from "next-intl";
import { startTransition, useOptimistic, useRef, useState } from "react";
import type { Link } from "#lib/links/schema";
import type { FormAction, FormAnswer } from "../forms/form.tsx";
import { useShortcut } from "../shell/shortcuts.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { toast } from "../ui/toast.tsx";
import { LinkEditor } from "./link-editor.tsx";
import { LinkRow } from "./link-row.tsx";
import { withoutScheme } from "./names.ts";

interface LinkListProps {
  workspace: string;
  links: readonly Link[];
  /** Null, both: the person may only look. */
  editLink: FormAction<{ shortLink: string }> | null;
  deleteLink: ((id: string) => Promise<FormAnswer<null>>) | null;
}

export function LinkList({ workspace, links, editLink, deleteLink }: LinkListProps) {
  const t = useTranslations("links");
  const [shown, hide] = useOptimistic(links, (before, id: string) =>
    before.filter((link) => link.id !== id),
  );
  // Kept while their dialogs close, so that the words do not vanish before the box does.
  const [editing, setEditing] = useState<{ link: Link; open: boolean }>();
  const [deleting, setDeleting] = useState<{ link: Link; open: boolean }>();
  const list = useRef<HTMLUListElement>(null);
  useRowKeys(list, (id) => {
    const link = shown.find((one) => one.id === id);
    if (link && editLink) setEditing({ link, open: true });
  });

  function remove(link: Link) {
    const name = withoutScheme(link.shortLink);
    startTransition(async () => {
      hide(link.id);
      const answer = await deleteLink?.(link.id).catch(() => undefined);
      if (answer?.ok) toast.success(t("deleted", { link: name }));
      else toast.error(t("notDeleted", { link: name }));
    });
  }

  return (
    <>
      <ul
        ref={list}
        aria-label={t("list")}
        className="overflow-hidden rounded-xl border border-line bg-surface"
      >
        {shown.map((link) => (
          <LinkRow
            key={link.id}
            link={link}
            href={`/app/${workspace}/links/${link.id}`}
            onEdit={editLink && (() => setEditing({ link, open: true }))}
            onDelete={deleteLink && (() => setDeleting({ link, open: true }))}
          />
        ))}
      </ul>
      {editing && editLink ? (
        <LinkEditor
          key={editing.link.id}
          {...editing}
          onOpenChange={(open) => setEditing({ ...editing, open })}
          editLink={editLink}
        />
      ) : null}
      {deleting ? (
        <ConfirmDialog
          open={deleting.open}
          onOpenChange={(open) => setDeleting({ ...deleting, open })}
          title={t("deleteTitle")}
          action={t("deleteAction")}
          onConfirm={() => remove(deleting.link)}
        >
          {t("deleteText", { link: withoutScheme(deleting.link.shortLink) })}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

/** j and k move the focus from row to row, e edits the row that has it. */
function useRowKeys(list: React.RefObject<HTMLUListElement | null>, edit: (id: string) => void) {
  function step(by: number) {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
    const here = rows.findIndex((row) => row.closest("li")?.contains(document.activeElement));
    const at = here < 0 ? (by > 0 ? 0 : rows.length - 1) : here + by;
    rows[Math.max(0, Math.min(rows.length - 1, at))]?.focus();
  }
  useShortcut("j", () => step(1));
  useShortcut("k", () => step(-1));
  useShortcut("e", () => {
    const row = document.activeElement?.closest<HTMLElement>("[data-link]");
    const id = row?.dataset["link"];
    if (id) edit(id);
  });
}
