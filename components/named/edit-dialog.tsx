"use client";

import { Pencil } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { Button } from "#components/ui/button";
import { Dialog, DialogContent } from "#components/ui/dialog";
import { toast } from "#components/ui/toast";

interface EditDialogProps {
  /** Its texts. */
  messages: "gateways" | "wechat";
  name: string;
  form: (onDone: () => void) => ReactNode;
}

/** A button on the card of an object, and the dialog with its form. */
export function EditDialog({ messages, name, form }: EditDialogProps) {
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
