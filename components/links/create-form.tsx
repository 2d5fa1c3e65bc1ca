"use client";

import type { FormAction } from "../forms/form.tsx";
import { newBodyOf } from "./draft-body.ts";
import { DraftOffer } from "./draft-offer.tsx";
import type { CreatedLink } from "./link-creator.tsx";
import { emptyDraft } from "./link-draft.ts";
import { LinkForm } from "./link-form.tsx";
import { useDraft } from "./use-draft.ts";

export interface CreateFormProps {
  workspace: string;
  /** The user: drafts are separate for each. */
  owner: string;
  hosts: readonly string[];
  createLink: FormAction<CreatedLink>;
  onCreated: (link: CreatedLink) => void;
}

export function CreateForm({ workspace, owner, hosts, createLink, onCreated }: CreateFormProps) {
  const state = useDraft({ owner, workspace }, () => emptyDraft(hosts[0] ?? ""));
  const { draft, change, discard } = state;
  return (
    <LinkForm
      workspace={workspace}
      hosts={hosts}
      draft={draft}
      change={change}
      body={newBodyOf(draft)}
      notice={<DraftOffer {...state} />}
      onDiscard={discard}
      action={createLink}
      onDone={(link) => {
        discard();
        onCreated(link);
      }}
    />
  );
}
