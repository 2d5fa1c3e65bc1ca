"use client";

import { type DraftState, useStoredDraft } from "#components/forms/use-stored-draft.ts";
import { applyChanges, type LinkDraft } from "./link-draft.ts";

/** Increased when the values of a field change their meaning, so that older entries are ignored. */
const version = 5;

interface DraftTarget {
  owner: string;
  workspace: string;
  link?: { id: string; updatedAt: string };
}

export type LinkDraftState = DraftState<LinkDraft>;

export function useDraft(
  { owner, workspace, link }: DraftTarget,
  initial: () => LinkDraft,
): LinkDraftState {
  const place = { owner, workspace, subject: link?.id ?? "new", version, base: link?.updatedAt };
  return useStoredDraft(place, initial, {
    apply: applyChanges,
    keep: (draft) => ({ ...draft, password: "" }),
  });
}
