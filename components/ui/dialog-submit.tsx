import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { DialogActions, DialogClose } from "./dialog.tsx";

/** The buttons of a form in a dialog: cancel and submit. */
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
