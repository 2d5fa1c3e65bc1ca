import { useState } from "react";

/** A dialog that makes something and then shows it once; opened again, it makes another. */
export function useMade<Made>() {
  const [open, setOpen] = useState(false);
  const [made, setMade] = useState<Made>();
  function onOpenChange(next: boolean) {
    if (next) setMade(undefined);
    setOpen(next);
  }
  return { made, setMade, dialog: { open, onOpenChange } };
}
