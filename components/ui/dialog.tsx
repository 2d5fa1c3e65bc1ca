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
  /** Where it is: a box asks or tells something. Forms that create or edit something are drawers, along an edge. */
  side?: keyof typeof places;
}

const drawer =
  "flex h-dvh max-w-lg flex-col data-[state=closed]:animate-slide-out data-[state=open]:animate-slide-in";
const places = {
  box: {
    // On a phone it is at the bottom, within reach of the thumb.
    outside: "items-end justify-items-center sm:items-start sm:pt-[12vh]",
    inside:
      "max-h-[88dvh] rounded-t-xl border data-[state=closed]:animate-leave data-[state=open]:animate-enter sm:max-w-md sm:rounded-xl",
  },
  left: { outside: "justify-items-start", inside: `${drawer} border-r [--slide-from:-24px]` },
  right: { outside: "justify-items-end", inside: `${drawer} border-l` },
};

export function DialogContent(props: DialogContentProps) {
  const { title, description, children, className, side = "box" } = props;
  const { outside, inside } = places[side];
  return (
    <Primitive.Portal>
      <Overlay />
      <div className={classNames("pointer-events-none fixed inset-0 z-50 grid", outside)}>
        <Primitive.Content
          {...(description ? {} : { "aria-describedby": undefined })}
          data-dialog
          className={classNames(
            "pointer-events-auto relative w-full overflow-y-auto border-line bg-surface p-5 text-ink shadow-floating outline-none",
            inside,
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

function DialogHead({ title, description }: { title: string; description?: ReactNode }) {
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

/** The buttons of a dialog; the primary one comes last. At the end of a form, they stay visible while it scrolls. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div data-actions className="flex flex-wrap items-center justify-end gap-2 pt-1">
      {children}
    </div>
  );
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
