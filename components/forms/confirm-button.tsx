"use client";

import { type ComponentProps, type ReactNode, useState } from "react";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";

interface ConfirmButtonProps extends Omit<ComponentProps<typeof Button>, "onClick"> {
  title: string;
  /** Names what is lost. */
  question: ReactNode;
  action: string;
  onConfirm: () => void;
}

/** A button that asks before something is lost. */
export function ConfirmButton({
  title,
  question,
  action,
  onConfirm,
  ...button
}: ConfirmButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)} />
      <ConfirmDialog {...{ open, title, action, onConfirm }} onOpenChange={setOpen}>
        {question}
      </ConfirmDialog>
    </>
  );
}
