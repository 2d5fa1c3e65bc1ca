"use client";

import { useEffect, useRef, useState } from "react";
import {
  type DraftTarget,
  deleteDraft,
  findDraft,
  type StoredDraft,
  storeDraft,
} from "./draft-store.ts";
import { applyChanges, type LinkDraft } from "./link-draft.ts";

export interface DraftState {
  draft: LinkDraft;
  change: (changes: Partial<LinkDraft>) => void;
  /** An earlier draft, until it is resumed or discarded. */
  offer: StoredDraft | undefined;
  resume: () => void;
  /** Discards the earlier draft or the present one. */
  discard: () => void;
}

/** The draft of a form. It is stored with every change, because a tab can be closed at any time. */
export function useDraft(place: DraftTarget, initial: () => LinkDraft): DraftState {
  const [first] = useState(initial);
  const [draft, setDraft] = useState(first);
  // The latest value, for callbacks created earlier.
  const latest = useRef(first);
  const [offer, setOffer] = useState<StoredDraft>();
  const { owner, workspace, link } = place;
  const id = link?.id ?? "";
  const updatedAt = link?.updatedAt ?? "";
  useEffect(() => {
    setOffer(findDraft({ owner, workspace, ...(id ? { link: { id, updatedAt } } : {}) }));
  }, [owner, workspace, id, updatedAt]);
  return {
    draft,
    offer,
    change: (changes) => {
      const next = applyChanges(latest.current, changes);
      latest.current = next;
      setDraft(next);
      const isSame = JSON.stringify({ ...next, password: "" }) === JSON.stringify(first);
      if (isSame) deleteDraft(place);
      else storeDraft(place, next);
    },
    resume: () => {
      if (!offer) return;
      latest.current = offer.draft;
      setDraft(offer.draft);
      storeDraft(place, offer.draft);
      setOffer(undefined);
    },
    discard: () => {
      deleteDraft(place);
      setOffer(undefined);
    },
  };
}
