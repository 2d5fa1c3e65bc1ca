"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { type FormAction, useForm } from "#components/forms/form";
import { DialogSubmit } from "#components/ui/dialog";
import { FormError } from "#components/ui/form-error";
import type { Link } from "#lib/links/fields/schema";
import { useLinkCreator } from "./creator-context.ts";
import { editBodyOf } from "./draft-body.ts";
import { EditorDrawer, type LinkEditorProps, type SavedLink } from "./editor-drawer.tsx";
import { TextField } from "./form-fields.tsx";
import { KeyField } from "./key-field.tsx";
import { applyChanges, draftOf, type LinkDraft } from "./link-draft.ts";
import { TagsField } from "./tag-folder-fields.tsx";
import { submitOnEnter, UrlField } from "./url-field.tsx";

/** The fields of a link that change most often, in a drawer beside its list. */
export function QuickEditor(drawer: LinkEditorProps) {
  const t = useTranslations("linkForm");
  return (
    <EditorDrawer {...drawer} title={t("quickTitle")}>
      {(onSaved) => <QuickForm link={drawer.link} save={drawer.edits.save} onSaved={onSaved} />}
    </EditorDrawer>
  );
}

interface QuickFormProps {
  link: Link;
  save: FormAction<SavedLink>;
  onSaved: (saved: SavedLink) => void;
}

function QuickForm({ link: latest, save, onSaved }: QuickFormProps) {
  const t = useTranslations("linkForm");
  const common = useTranslations("common");
  const { workspace, zone } = useLinkCreator();
  // Changes are compared with the link as it was when the form opened, so that other people’s changes stay.
  const [link] = useState(latest);
  const [draft, setDraft] = useState(() => draftOf(link, zone));
  const change = (changes: Partial<LinkDraft>) => setDraft(applyChanges(draft, changes));
  const body = editBodyOf(draft, link);
  const { form, pending, error, errorOf } = useForm(save, onSaved, { values: body });
  const part = { draft, change, errorOf };
  return (
    <form {...form} onKeyDown={submitOnEnter} className="grid gap-4">
      <input type="hidden" name="id" value={link.id} />
      <input type="hidden" name="link" value={JSON.stringify(body)} />
      <FormError>{error}</FormError>
      <TextField
        {...part}
        name="title"
        label={t("title")}
        optional={common("optional")}
        autoFocus
      />
      <TagsField
        workspace={workspace}
        tagIds={draft.tagIds}
        onTagIds={(tagIds) => change({ tagIds })}
        error={errorOf("tagIds")}
      />
      <UrlField {...part} hosts={[link.domain]} isNew={false} autoFocus={false} />
      <KeyField
        workspace={workspace}
        hosts={[link.domain]}
        host={link.domain}
        value={draft.key}
        own={link}
        error={errorOf("key") ?? errorOf("domain")}
        hint={t("keyEditHint")}
        onHost={() => {}}
        onValue={(key) => change({ key })}
      />
      <DialogSubmit pending={pending}>{common("save")}</DialogSubmit>
    </form>
  );
}
