"use client";

import { useTranslations } from "next-intl";
import { createContext, type ReactNode, use, useMemo, useState } from "react";
import { type FormAction, useForm } from "../forms/form.tsx";
import { useShortcut } from "../shell/shortcuts.tsx";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog, DialogActions, DialogClose, DialogContent } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { FormError } from "../ui/form-error.tsx";
import { Input } from "../ui/input.tsx";
import { KeyField } from "./key-field.tsx";
import { withoutScheme } from "./names.ts";

export interface CreatedLink {
  shortLink: string;
  url: string;
}

export interface LinkCreatorProps {
  /** Hosts on which the workspace may make links; the first is offered first. */
  hosts: readonly string[];
  /** Null: the person may make none. */
  createLink: FormAction<CreatedLink> | null;
  children: ReactNode;
}

const Creator = createContext<{ openCreator: (() => void) | null }>({ openCreator: null });

/** Opens the dialog that creates a link, from any page of a workspace; null for those who may make none. */
export function useLinkCreator() {
  return use(Creator);
}

export function LinkCreator({ hosts, createLink, children }: LinkCreatorProps) {
  const t = useTranslations("linkForm");
  const [open, setOpen] = useState(false);
  const [created, setCreated] = useState<CreatedLink>();
  const mayCreate = createLink !== null;
  const value = useMemo(
    () => ({
      openCreator: mayCreate
        ? () => {
            setCreated(undefined);
            setOpen(true);
          }
        : null,
    }),
    [mayCreate],
  );
  useShortcut("c", () => value.openCreator?.());
  return (
    <Creator value={value}>
      {children}
      <Dialog open={open} onOpenChange={setOpen}>
        {created ? (
          <DialogContent
            title={t("createdTitle")}
            description={
              <span className="line-clamp-2 break-all">
                {t("createdText", { url: withoutScheme(created.url) })}
              </span>
            }
          >
            <Created link={created} onAnother={() => setCreated(undefined)} />
          </DialogContent>
        ) : (
          <DialogContent title={t("createTitle")} className="sm:max-w-lg">
            {createLink ? (
              <CreateForm hosts={hosts} createLink={createLink} onCreated={setCreated} />
            ) : null}
          </DialogContent>
        )}
      </Dialog>
    </Creator>
  );
}

interface CreateFormProps {
  hosts: readonly string[];
  createLink: FormAction<CreatedLink>;
  onCreated: (link: CreatedLink) => void;
}

function CreateForm({ hosts, createLink, onCreated }: CreateFormProps) {
  const t = useTranslations("linkForm");
  const common = useTranslations("common");
  const { form, pending, error, errorOf, typed } = useForm(createLink, onCreated);
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <Field label={t("url")} error={errorOf("url")}>
        {(control) => (
          <Input
            {...control}
            name="url"
            type="url"
            inputMode="url"
            autoComplete="off"
            autoFocus
            required
            placeholder={t("urlPlaceholder")}
            defaultValue={typed("url")}
          />
        )}
      </Field>
      <KeyField
        hosts={hosts}
        host={typed("domain", hosts[0])}
        value={typed("key")}
        error={errorOf("key") ?? errorOf("domain")}
        hint={t("keyHint")}
        optional={common("optional")}
      />
      <DialogActions>
        <DialogClose asChild>
          <Button>{common("cancel")}</Button>
        </DialogClose>
        <Button type="submit" look="solid" pending={pending}>
          {t("create")}
        </Button>
      </DialogActions>
    </form>
  );
}

function Created({ link, onAnother }: { link: CreatedLink; onAnother: () => void }) {
  const t = useTranslations("linkForm");
  const links = useTranslations("links");
  const name = withoutScheme(link.shortLink);
  return (
    <div className="grid gap-4">
      <Field label={t("shortLink")}>
        {(control) => (
          <div className="flex gap-2">
            <Input
              {...control}
              readOnly
              value={link.shortLink}
              className="font-medium"
              onFocus={(event) => event.currentTarget.select()}
            />
            <CopyButton
              text={link.shortLink}
              label={links("copy", { link: name })}
              autoFocus
              className="h-9 pointer-coarse:h-11"
            >
              {t("copy")}
            </CopyButton>
          </div>
        )}
      </Field>
      <DialogActions>
        <Button onClick={onAnother}>{t("createAnother")}</Button>
        <DialogClose asChild>
          <Button look="solid">{t("done")}</Button>
        </DialogClose>
      </DialogActions>
    </div>
  );
}
