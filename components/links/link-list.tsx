"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { startTransition, useOptimistic, useRef, useState } from "react";
import type { Link } from "#lib/links/schema";
import type { FormAction, FormAnswer } from "../forms/form.tsx";
import { ArchiveDialog } from "../qr/archive-dialog.tsx";
import { useShortcut } from "../shell/shortcuts.tsx";
import { Button } from "../ui/button.tsx";
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
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const selected = shown.filter(({ id }) => marked.has(id)).map(({ id }) => id);
  const router = useRouter();
  const hrefOf = (id: string) => `/app/${workspace}/links/${id}`;
  const list = useRef<HTMLUListElement>(null);
  const toggle = (id: string) =>
    setMarked((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  useRowKeys(list, {
    e: (id) => {
      const link = shown.find((one) => one.id === id);
      if (link && editLink) setEditing({ link, open: true });
    },
    x: toggle,
    q: (id) => router.push(`${hrefOf(id)}/qr`),
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
      <SelectedBar workspace={workspace} linkIds={selected} onClear={() => setMarked(new Set())} />
      <ul
        ref={list}
        aria-label={t("list")}
        className="overflow-hidden rounded-xl border border-line bg-surface"
      >
        {shown.map((link) => (
          <LinkRow
            key={link.id}
            link={link}
            href={hrefOf(link.id)}
            selected={marked.has(link.id)}
            onSelect={() => toggle(link.id)}
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

interface SelectedBarProps {
  workspace: string;
  linkIds: readonly string[];
  onClear: () => void;
}

/** What can be done with the links that are selected. */
function SelectedBar({ workspace, linkIds, onClear }: SelectedBarProps) {
  const t = useTranslations("qr");
  if (linkIds.length === 0) return null;
  return (
    <div className="mb-2 flex flex-wrap items-center gap-2">
      <p role="status" className="mr-auto text-sm tabular-nums">
        {t("selected", { count: linkIds.length })}
      </p>
      <Button look="ghost" size="sm" onClick={onClear}>
        {t("unselect")}
      </Button>
      <ArchiveDialog workspace={workspace} linkIds={linkIds} />
    </div>
  );
}

type RowKeys = Readonly<Record<"e" | "x" | "q", (id: string) => void>>;

/** j and k move the focus from row to row; e edits the row that has it, x selects it, q opens its code. */
function useRowKeys(list: React.RefObject<HTMLUListElement | null>, keys: RowKeys) {
  function step(by: number) {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
    const here = rows.findIndex((row) => row.closest("li")?.contains(document.activeElement));
    const at = here < 0 ? (by > 0 ? 0 : rows.length - 1) : here + by;
    rows[Math.max(0, Math.min(rows.length - 1, at))]?.focus();
  }
  function onFocused(act: (id: string) => void) {
    const row = document.activeElement?.closest<HTMLElement>("[data-link]");
    const id = row?.dataset["link"];
    if (id) act(id);
  }
  useShortcut("j", () => step(1));
  useShortcut("k", () => step(-1));
  useShortcut("e", () => onFocused(keys.e));
  useShortcut("x", () => onFocused(keys.x));
  useShortcut("q", () => onFocused(keys.q));
}
