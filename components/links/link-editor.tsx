"use client";

import { useTranslations } from "next-intl";
import type { KeyboardEvent } from "react";
import type { Link } from "#lib/links/schema";
import { type FormAction, useForm } from "../forms/form.tsx";
import { Button } from "../ui/button.tsx";
import { DialogActions, DialogClose } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { FormError } from "../ui/form-error.tsx";
import { Input } from "../ui/input.tsx";
import { Sheet, SheetContent } from "../ui/sheet.tsx";
import { Switch } from "../ui/switch.tsx";
import { Textarea } from "../ui/textarea.tsx";
import { toast } from "../ui/toast.tsx";
import { KeyField } from "./key-field.tsx";
import { withoutScheme } from "./names.ts";

export interface LinkEditorProps {
  link: Link;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  editLink: FormAction<{ shortLink: string }>;
}

export function LinkEditor({ link, open, onOpenChange, editLink }: LinkEditorProps) {
  const t = useTranslations("linkForm");
  return (
    <Sheet open={open} onOpenChange={onOpenChange}>
      <SheetContent title={t("editTitle")} description={withoutScheme(link.shortLink)}>
        <EditForm
          link={link}
          editLink={editLink}
          onSaved={(shortLink) => {
            onOpenChange(false);
            toast.success(t("saved", { link: withoutScheme(shortLink) }));
          }}
        />
      </SheetContent>
    </Sheet>
  );
}

/** ⌘↵ saves from every field. An address has no lines, so Enter alone saves from its field too. */
function submitOnEnter(event: KeyboardEvent<HTMLFormElement>): void {
  const { target, currentTarget } = event;
  const inAddress = target instanceof HTMLTextAreaElement && target.name === "url";
  if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
  if (!inAddress && !event.metaKey && !event.ctrlKey) return;
  event.preventDefault();
  currentTarget.requestSubmit();
}

interface EditFormProps {
  link: Link;
  editLink: LinkEditorProps["editLink"];
  onSaved: (shortLink: string) => void;
}

function EditForm({ link, editLink, onSaved }: EditFormProps) {
  const t = useTranslations("linkForm");
  const common = useTranslations("common");
  const { form, pending, error, errorOf, typed } = useForm(editLink, ({ shortLink }) =>
    onSaved(shortLink),
  );
  const optional = common("optional");
  return (
    <form {...form} onKeyDown={submitOnEnter} className="flex flex-1 flex-col gap-4">
      <input type="hidden" name="id" value={link.id} />
      <FormError>{error}</FormError>
      <Field label={t("url")} error={errorOf("url")}>
        {(control) => (
          <Textarea
            {...control}
            name="url"
            inputMode="url"
            rows={2}
            required
            className="break-all"
            defaultValue={typed("url", link.url)}
          />
        )}
      </Field>
      <KeyField
        hosts={[link.domain]}
        host={link.domain}
        value={typed("key", link.key)}
        error={errorOf("key")}
        hint={t("keyEditHint")}
      />
      <Field label={t("title")} optional={optional} error={errorOf("title")}>
        {(control) => (
          <Input
            {...control}
            name="title"
            autoComplete="off"
            defaultValue={typed("title", link.title ?? "")}
          />
        )}
      </Field>
      <Field
        label={t("comments")}
        optional={optional}
        hint={t("commentsHint")}
        error={errorOf("comments")}
      >
        {(control) => (
          <Textarea
            {...control}
            name="comments"
            defaultValue={typed("comments", link.comments ?? "")}
          />
        )}
      </Field>
      <div className="rounded-lg border border-line p-3">
        <Switch
          name="archived"
          value="true"
          label={t("archived")}
          hint={t("archivedHint")}
          defaultChecked={link.archived}
        />
      </div>
      <div className="mt-auto">
        <DialogActions>
          <DialogClose asChild>
            <Button>{common("cancel")}</Button>
          </DialogClose>
          <Button type="submit" look="solid" pending={pending}>
            {common("save")}
          </Button>
        </DialogActions>
      </div>
    </form>
  );
}
