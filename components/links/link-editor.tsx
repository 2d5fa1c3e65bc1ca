"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import type { FormAction } from "#components/forms/form";
import type { Link } from "#lib/links/fields/schema";
import { useLinkCreator } from "./creator-context.ts";
import { editBodyOf } from "./draft-body.ts";
import { DraftOffer } from "./draft-offer.tsx";
import { EditorDrawer, type LinkEditorProps, type SavedLink } from "./editor-drawer.tsx";
import { draftOf } from "./link-draft.ts";
import { LinkForm } from "./link-form.tsx";
import { useDraft } from "./use-draft.ts";

export function LinkEditor(drawer: LinkEditorProps) {
  const t = useTranslations("linkForm");
  return (
    <EditorDrawer
      {...drawer}
      title={t("editTitle")}
      className="max-w-xl min-[1100px]:max-w-[64rem]"
    >
      {(onSaved) => <EditForm link={drawer.link} save={drawer.edits.save} onSaved={onSaved} />}
    </EditorDrawer>
  );
}

interface EditFormProps {
  link: Link;
  save: FormAction<SavedLink>;
  onSaved: (saved: SavedLink) => void;
}

function EditForm({ link: latest, save, onSaved }: EditFormProps) {
  const { workspace, owner, zone } = useLinkCreator();
  // Changes are compared with the link as it was when the form opened, so that other people’s changes stay.
  const [link] = useState(latest);
  const { id, updatedAt } = link;
  const state = useDraft({ owner, workspace, link: { id, updatedAt } }, () => draftOf(link, zone));
  const { draft, change, finish } = state;
  return (
    <LinkForm
      workspace={workspace}
      hosts={[link.domain]}
      draft={draft}
      change={change}
      body={editBodyOf(draft, link)}
      link={link}
      notice={<DraftOffer {...state} />}
      onDiscard={finish}
      action={save}
      onDone={(saved) => {
        finish();
        onSaved(saved);
      }}
    />
  );
}
