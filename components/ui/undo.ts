/** Undo of the last action: for ten seconds by a button in its toast, or with ⌘Z on any page. */
import { toast } from "sonner";

const shownMs = 10_000;

interface Offer {
  message: string;
  /** The part that failed. */
  description?: string | undefined;
  /** The text of the button. */
  label: string;
  undo: () => void;
}

/** The newest comes last. */
const takes: (() => void)[] = [];

export function offerUndo({ message, description, label, undo }: Offer): void {
  const drop = () => {
    const at = takes.indexOf(take);
    if (at >= 0) takes.splice(at, 1);
    if (takes.length === 0) window.removeEventListener("keydown", onKeyDown);
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
  takes.push(take);
  window.addEventListener("keydown", onKeyDown);
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.key.toLowerCase() !== "z" || !(event.metaKey || event.ctrlKey) || event.shiftKey)
    return;
  // While typing, ⌘Z belongs to the field, and a dialog covers the toast.
  if (
    event.target instanceof HTMLElement &&
    event.target.closest(
      "input:not([type=checkbox]), textarea, [contenteditable], [role=dialog], [role=alertdialog]",
    )
  )
    return;
  event.preventDefault();
  takes.at(-1)?.();
}
