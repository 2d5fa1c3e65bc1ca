"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import type { FormAction } from "#components/forms/form";
import { Dialog, DialogContent } from "#components/ui/dialog";
import { toast } from "#components/ui/toast";
import type { Link } from "#lib/links/fields/schema";
import { useLinkCreator } from "./creator-context.ts";
import { editBodyOf } from "./draft-body.ts";
import { DraftOffer } from "./draft-offer.tsx";
import { draftOf } from "./link-draft.ts";
import { LinkForm } from "./link-form.tsx";
import { withoutScheme } from "./names.ts";
import { useDraft } from "./use-draft.ts";

export interface LinkEditorProps {
  link: Link;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  editLink: FormAction<{ shortLink: string }>;
}

export function LinkEditor({ link, open, onOpenChange, editLink }: LinkEditorProps) {
  const t = useTranslations("linkForm");
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        side="right"
        title={t("editTitle")}
        description={<span className="break-all">{withoutScheme(link.shortLink)}</span>}
        className="max-w-xl min-[1100px]:max-w-[64rem]"
      >
        <EditForm
          link={link}
          editLink={editLink}
          onSaved={(shortLink) => {
            onOpenChange(false);
            toast.success(t("saved", { link: withoutScheme(shortLink) }));
          }}
        />
      </DialogContent>
    </Dialog>
  );
}

interface EditFormProps {
  link: Link;
  editLink: LinkEditorProps["editLink"];
  onSaved: (shortLink: string) => void;
}

function EditForm({ link: latest, editLink, onSaved }: EditFormProps) {
  const { workspace, owner, zone } = useLinkCreator();
  // Changes are compared with the link as it was when the form opened, so that other people’s changes stay.
  const [link] = useState(latest);
  const { id, updatedAt } = link;
  const state = useDraft({ owner, workspace, link: { id, updatedAt } }, () => draftOf(link, zone));
  const { draft, change, discard } = state;
  return (
    <LinkForm
      workspace={workspace}
      hosts={[link.domain]}
      draft={draft}
      change={change}
      body={editBodyOf(draft, link)}
      link={link}
      notice={<DraftOffer {...state} />}
      onDiscard={discard}
      action={editLink}
      onDone={({ shortLink }) => {
        discard();
        onSaved(shortLink);
      }}
    />
  );
}
