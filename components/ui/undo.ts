/** What was just done can be taken back: for ten seconds by a button in its message, or with ⌘Z on any page. */
import { toast } from "sonner";

const shownMs = 10_000;

interface Offer {
  message: string;
  /** What did not go as the rest did. */
  description?: string | undefined;
  /** Names the button. */
  label: string;
  undo: () => void;
}

/** The newest stands last. */
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
  // Whoever types means what they typed, and a dialog lies above the message.
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
