"use client";

import { useTranslations } from "next-intl";
import { AlertDialog as Primitive } from "radix-ui";
import { type ComponentProps, type ReactNode, useState } from "react";
import { Button } from "./button.tsx";

interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  children: ReactNode;
  action: string;
  onConfirm: () => void;
}

/** Asks before something is lost. The focus starts on the cancel button. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  children,
  action,
  onConfirm,
}: ConfirmDialogProps) {
  const t = useTranslations("common");
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 bg-veil data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in" />
        <div className="pointer-events-none fixed inset-0 z-50 grid place-items-center p-4">
          <Primitive.Content className="pointer-events-auto w-full max-w-sm rounded-xl border border-line bg-surface p-5 text-ink shadow-floating outline-none data-[state=closed]:animate-leave data-[state=open]:animate-enter">
            <Primitive.Title className="font-semibold text-lg">{title}</Primitive.Title>
            <Primitive.Description asChild>
              <div className="mt-2 break-words text-ink-muted text-sm">{children}</div>
            </Primitive.Description>
            <div className="mt-5 flex justify-end gap-2">
              <Primitive.Cancel asChild>
                <Button>{t("cancel")}</Button>
              </Primitive.Cancel>
              <Primitive.Action asChild>
                <Button variant="danger" onClick={onConfirm}>
                  {action}
                </Button>
              </Primitive.Action>
            </div>
          </Primitive.Content>
        </div>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

interface ConfirmButtonProps extends Omit<ComponentProps<typeof Button>, "onClick"> {
  title: string;
  question: ReactNode;
  action: string;
  onConfirm: () => void;
}

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
