/** Undoes the last action within ten seconds, with a button in its toast or ⌘Z on any page. */
import type { ReactNode } from "react";
import { toast } from "sonner";
import { shortcuts } from "#components/shell/shortcut-keys.ts";

const shownMs = 10_000;

interface UndoOffer {
  message: string;
  description?: ReactNode;
  label: string;
  undo: () => void;
}

const undoStack: (() => void)[] = [];

export function offerUndo({ message, description, label, undo }: UndoOffer): void {
  const drop = () => {
    const at = undoStack.indexOf(take);
    if (at >= 0) undoStack.splice(at, 1);
    if (undoStack.length === 0) window.removeEventListener("keydown", onKeyDown);
  };
  const take = () => {
    drop();
    toast.dismiss(id);
    undo();
  };
  const id = toast.success(message, {
    duration: shownMs,
    ...(description === undefined ? {} : { description }),
    action: { label, onClick: take },
    onDismiss: drop,
    onAutoClose: drop,
  });
  undoStack.push(take);
  window.addEventListener("keydown", onKeyDown);
}

function onKeyDown(event: KeyboardEvent): void {
  if (
    event.key.toLowerCase() !== shortcuts.undo.key ||
    !(event.metaKey || event.ctrlKey) ||
    event.shiftKey
  )
    return;
  // In a field, ⌘Z undoes typing. A dialog covers the toast.
  if (
    event.target instanceof HTMLElement &&
    event.target.closest(
      "input:not([type=checkbox]), textarea, [contenteditable], [role=dialog], [role=alertdialog]",
    )
  )
    return;
  event.preventDefault();
  undoStack.at(-1)?.();
}
