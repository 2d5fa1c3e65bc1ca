"use client";

import { Pencil, Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogContent } from "../ui/dialog.tsx";
import { toast } from "../ui/toast.tsx";

interface CardToolsProps {
  /** Its texts. */
  messages: "gateways" | "wechat";
  name: string;
  form: (onDone: () => void) => ReactNode;
  onDelete: () => void;
}

/** The buttons on the card of an object: one for the dialog with its form, and one that deletes it. */
export function CardTools({ messages, name, form, onDelete }: CardToolsProps) {
  const t = useTranslations(messages);
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        aria-label={t("editNamed", { name })}
        onClick={() => setOpen(true)}
      >
        <Pencil aria-hidden />
        {t("edit")}
      </Button>
      <Button variant="ghost" size="sm" aria-label={t("deleteNamed", { name })} onClick={onDelete}>
        <Trash2 aria-hidden />
        {t("delete")}
      </Button>
      <Dialog open={open} onOpenChange={setOpen}>
        <DialogContent title={t("editTitle", { name })} className="sm:max-w-lg">
          {form(() => {
            setOpen(false);
            toast.success(t("saved"));
          })}
        </DialogContent>
      </Dialog>
    </>
  );
}
