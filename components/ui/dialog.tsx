"use client";

import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { Dialog as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { classNames } from "./class-names.ts";

export const Dialog = Primitive.Root;
export const DialogTrigger = Primitive.Trigger;
export const DialogClose = Primitive.Close;

export function Overlay() {
  return (
    <Primitive.Overlay className="fixed inset-0 z-40 bg-veil data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in" />
  );
}

interface DialogContentProps {
  title: string;
  description?: ReactNode;
  children: ReactNode;
  className?: string;
}

/** A centered box; on a phone it is at the bottom, within reach of the thumb. */
export function DialogContent({ title, description, children, className }: DialogContentProps) {
  return (
    <Primitive.Portal>
      <Overlay />
      <div className="pointer-events-none fixed inset-0 z-50 grid items-end justify-items-center sm:items-start sm:pt-[12vh]">
        <Primitive.Content
          {...(description ? {} : { "aria-describedby": undefined })}
          className={classNames(
            "pointer-events-auto relative max-h-[88dvh] w-full overflow-y-auto rounded-t-xl border border-line bg-surface p-5 text-ink shadow-floating outline-none data-[state=closed]:animate-leave data-[state=open]:animate-enter sm:max-w-md sm:rounded-xl",
            className,
          )}
        >
          <DialogHead title={title} description={description} />
          {children}
        </Primitive.Content>
      </div>
    </Primitive.Portal>
  );
}

export function DialogHead({ title, description }: { title: string; description?: ReactNode }) {
  const t = useTranslations("common");
  return (
    <div className="mb-4 flex items-start gap-4">
      <div className="grid flex-1 gap-1">
        <Primitive.Title className="font-semibold text-lg">{title}</Primitive.Title>
        {description ? (
          <Primitive.Description className="text-ink-muted text-sm">
            {description}
          </Primitive.Description>
        ) : null}
      </div>
      <Primitive.Close asChild>
        <Button variant="ghost" size="icon" aria-label={t("close")} className="-mt-1 -mr-1">
          <X aria-hidden />
        </Button>
      </Primitive.Close>
    </div>
  );
}

/** The buttons of a dialog; the primary one comes last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center justify-end gap-2 pt-1">{children}</div>;
}

export function DialogSubmit({ pending, children }: { pending: boolean; children: ReactNode }) {
  const t = useTranslations("common");
  return (
    <DialogActions>
      <DialogClose asChild>
        <Button>{t("cancel")}</Button>
      </DialogClose>
      <Button type="submit" variant="solid" pending={pending}>
        {children}
      </Button>
    </DialogActions>
  );
}

/** The button at the end of a form on a page. */
export function FormSubmit({ pending, children }: { pending: boolean; children: ReactNode }) {
  return (
    <div>
      <Button type="submit" variant="solid" pending={pending}>
        {children}
      </Button>
    </div>
  );
}
