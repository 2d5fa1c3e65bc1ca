"use client";

import type { Link } from "#lib/links/fields/schema";
import type { LinkEdits } from "./editor-drawer.tsx";
import { DeleteDialog, LinkEditor, MoveDialog, QuickEditor } from "./lazy-parts.ts";
import type { ListRange } from "./list-head.tsx";

/** The dialog of a list that was opened last. It is kept while it closes, so that its text does not vanish before the box. */
export type ListDialog = { open: boolean } & (
  | { kind: "edit" | "quickEdit" | "move"; link: Link }
  | { kind: "delete"; links: readonly Link[]; all: boolean }
);

interface ListDialogsProps {
  workspace: string;
  dialog: ListDialog | undefined;
  onDialog: (dialog: ListDialog) => void;
  edits: LinkEdits | null;
  range: ListRange;
  onMove: (link: Link, folderId: string | null) => void;
  onDelete: (links: readonly Link[], all: boolean) => void;
}

export function ListDialogs(props: ListDialogsProps) {
  const { workspace, dialog, onDialog, edits, range, onMove, onDelete } = props;
  if (!dialog) return null;
  const state = {
    open: dialog.open,
    onOpenChange: (open: boolean) => onDialog({ ...dialog, open }),
  };
  if (dialog.kind === "delete") {
    const { links, all } = dialog;
    return (
      <DeleteDialog
        links={links}
        {...state}
        all={all ? range : undefined}
        onConfirm={() => onDelete(links, all)}
      />
    );
  }
  const { kind, link } = dialog;
  if (kind === "move") {
    const move = (folderId: string | null) => onMove(link, folderId);
    return <MoveDialog workspace={workspace} link={link} {...state} onMove={move} />;
  }
  if (!edits) return null;
  const Editor = kind === "edit" ? LinkEditor : QuickEditor;
  return <Editor key={link.id} link={link} {...state} edits={edits} />;
}
