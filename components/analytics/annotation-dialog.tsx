"use client";

import { Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { type FormAnswer, runAction, useForm } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Dialog, DialogActions, DialogContent } from "#components/ui/dialog";
import { FormError } from "#components/ui/form-error";
import { toast } from "#components/ui/toast";
import { offerUndo } from "#components/ui/undo.ts";
import { annotationBody, annotationCharsMax } from "#lib/analytics/annotations/schema";
import { localIn } from "#lib/basics/time/schema";
import { InputField } from "../ui/labeled.tsx";
import type { AnnotationActions, DraftAnnotation } from "./annotations.tsx";
import { useBoard } from "./board-state.tsx";

interface AnnotationDialogProps {
  draft: DraftAnnotation;
  actions: AnnotationActions;
  onClose: () => void;
}

export function AnnotationDialog({ draft, actions, onClose }: AnnotationDialogProps) {
  const t = useTranslations("analytics");
  const common = useTranslations("common");
  const { zone } = useBoard();
  const { id } = draft;
  const [day = "", time = ""] = localIn(zone, draft.at).split("T");

  async function save(data: FormData): Promise<FormAnswer<null>> {
    const field = (name: string) => String(data.get(name) ?? "");
    const at = `${field("day")}T${field("time")}`;
    const body = annotationBody.safeParse({ at, timezone: zone, text: field("text") });
    if (!body.success) return { ok: false, said: { form: t("annotationInvalid") } };
    return await (id ? actions.edit(id, body.data) : actions.create(body.data));
  }

  const { form, pending, error, typed } = useForm(save, () => {
    onClose();
    toast.success(t("annotationSaved"));
  });

  async function remove(name: string) {
    const answer = await runAction(() => actions.remove(name));
    // If the annotation is already gone, the user has what they wanted.
    if (!answer.ok && answer.form !== "notFound") return void toast.error(t("failed"));
    onClose();
    offerUndo({ message: t("annotationDeleted"), label: common("undo"), undo: restore });
  }

  function restore() {
    const body = annotationBody.parse({ at: `${day}T${time}`, timezone: zone, text: draft.text });
    void runAction(() => actions.create(body)).then(({ ok }) => ok || toast.error(t("failed")));
  }

  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent side="right" title={t(id ? "editAnnotation" : "addAnnotation")}>
        <form {...form} className="grid gap-4">
          <FormError>{error}</FormError>
          <InputField
            label={t("annotationText")}
            hint={t("annotationHint", { max: annotationCharsMax })}
            name="text"
            autoComplete="off"
            autoFocus
            required
            maxLength={annotationCharsMax}
            defaultValue={typed("text", draft.text)}
          />
          <div className="grid grid-cols-2 items-start gap-3">
            <InputField
              label={t("annotationDay")}
              name="day"
              type="date"
              defaultValue={typed("day", day)}
            />
            <InputField
              label={t("annotationTime")}
              name="time"
              type="time"
              defaultValue={typed("time", time)}
            />
            <p className="col-span-2 text-ink-muted text-sm">{t("zoneNote", { zone })}</p>
          </div>
          <DialogActions>
            {id ? (
              <Button className="mr-auto" onClick={() => void remove(id)}>
                <Trash2 aria-hidden />
                {t("deleteAnnotation")}
              </Button>
            ) : null}
            <Button type="submit" variant="solid" pending={pending}>
              {t("saveAnnotation")}
            </Button>
          </DialogActions>
        </form>
      </DialogContent>
    </Dialog>
  );
}
