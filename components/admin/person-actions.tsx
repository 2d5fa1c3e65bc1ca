"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import type { FormAnswer } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { Dialog, DialogContent } from "#components/ui/dialog";
import type { PersonChangeName } from "#lib/office/people/schema";
import { ReasonForm } from "./reason-form.tsx";

interface PersonActionsProps {
  changes: readonly PersonChangeName[];
  change: (name: PersonChangeName, data: FormData) => Promise<FormAnswer<null>>;
}

/** Changes of an account. Each asks for its reason. */
export function PersonActions({ changes, change }: PersonActionsProps) {
  const t = useTranslations("admin.personActions");
  const [open, setOpen] = useState<PersonChangeName>();
  return (
    <Card heading={t("heading")} note={t("note")}>
      <div className="flex flex-wrap gap-2">
        {changes.map((name) => (
          <Button key={name} onClick={() => setOpen(name)}>
            {t(`names.${name}`)}
          </Button>
        ))}
      </div>
      <Dialog open={open !== undefined} onOpenChange={() => setOpen(undefined)}>
        {open === undefined ? null : (
          <DialogContent title={t(`names.${open}`)} description={t(`notes.${open}`)}>
            <ReasonForm
              change={change.bind(null, open)}
              label={t("reason")}
              hint={t("reasonHint")}
              submit={t(`names.${open}`)}
              done={t("done")}
              onDone={() => setOpen(undefined)}
            />
          </DialogContent>
        )}
      </Dialog>
    </Card>
  );
}
