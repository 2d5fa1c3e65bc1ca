"use client";

import type { FormAction } from "#components/forms/form";
import { newBodyOf } from "./draft-body.ts";
import { DraftOffer } from "./draft-offer.tsx";
import type { CreatedLink, KeptFields } from "./link-creator.tsx";
import { emptyDraft } from "./link-draft.ts";
import { LinkForm } from "./link-form.tsx";
import { useDraft } from "./use-draft.ts";

export interface CreateFormProps {
  workspace: string;
  owner: string;
  hosts: readonly string[];
  zone: string;
  kept: KeptFields | undefined;
  createLink: FormAction<CreatedLink>;
  onCreated: (link: CreatedLink, kept: KeptFields) => void;
}

export function CreateForm(props: CreateFormProps) {
  const { workspace, owner, hosts, zone, kept, createLink, onCreated } = props;
  const state = useDraft({ owner, workspace }, () => ({
    ...emptyDraft(hosts[0] ?? "", zone),
    ...kept,
  }));
  const { draft, change, finish } = state;
  return (
    <LinkForm
      workspace={workspace}
      hosts={hosts}
      draft={draft}
      change={change}
      body={newBodyOf(draft)}
      notice={<DraftOffer {...state} />}
      onDiscard={finish}
      action={createLink}
      onDone={(link) => {
        finish();
        const { domain, folderId, tagIds } = draft;
        onCreated(link, { domain, folderId, tagIds });
      }}
    />
  );
}
