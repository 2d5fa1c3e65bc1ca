import { useState } from "react";

/** State of a dialog that creates an object and then shows it once. When it is reopened, it creates another one. */
export function useCreated<Created>() {
  const [open, setOpen] = useState(false);
  const [created, setCreated] = useState<Created>();
  function onOpenChange(next: boolean) {
    if (next) setCreated(undefined);
    setOpen(next);
  }
  return { created, setCreated, dialog: { open, onOpenChange } };
}
