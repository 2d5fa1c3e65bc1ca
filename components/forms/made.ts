import { useState } from "react";

/** State of a dialog that creates an object and then shows it once; reopened, it creates another. */
export function useMade<Made>() {
  const [open, setOpen] = useState(false);
  const [made, setMade] = useState<Made>();
  function onOpenChange(next: boolean) {
    if (next) setMade(undefined);
    setOpen(next);
  }
  return { made, setMade, dialog: { open, onOpenChange } };
}
