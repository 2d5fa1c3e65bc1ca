"use client";

import { useEffect, useRef, useState } from "react";
import {
  type DraftPlace,
  deleteDraft,
  findDraft,
  type StoredDraft,
  storeDraft,
} from "./stored-drafts.ts";

export interface DraftState<Draft> {
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
  offer: StoredDraft<Draft> | undefined;
  resume: () => void;
  /** Deletes what is stored; later changes are stored again. */
  discard: () => void;
  /** For a form that is about to close: what still changes, such as a title that arrives late, is not stored. */
  finish: () => void;
}

interface DraftRules<Draft> {
  apply?: (draft: Draft, changes: Partial<Draft>) => Draft;
  /** Returns what is stored of a draft, never a password. */
  keep?: (draft: Draft) => Draft;
}

/** The draft of a form. Every change is stored, because a tab can be closed at any time. */
export function useStoredDraft<Draft extends object>(
  place: DraftPlace,
  initial: () => Draft,
  {
    apply = (draft, changes) => ({ ...draft, ...changes }),
    keep = (draft) => draft,
  }: DraftRules<Draft> = {},
): DraftState<Draft> {
  const [first] = useState(initial);
  const [draft, setDraft] = useState(first);
  // The latest value, for callbacks created earlier.
  const latest = useRef(first);
  const isFinished = useRef(false);
  const [offer, setOffer] = useState<StoredDraft<Draft>>();
  const { owner, workspace, subject, version, base } = place;
  useEffect(() => {
    setOffer(findDraft<Draft>({ owner, workspace, subject, version, base }));
  }, [owner, workspace, subject, version, base]);
  function discard(): void {
    deleteDraft(place);
    setOffer(undefined);
  }
  return {
    draft,
    offer,
    change: (changes) => {
      const next = apply(latest.current, changes);
      latest.current = next;
      setDraft(next);
      if (isFinished.current) return;
      const isSame = JSON.stringify(keep(next)) === JSON.stringify(keep(first));
      if (isSame) deleteDraft(place);
      else storeDraft(place, keep(next));
    },
    resume: () => {
      if (!offer) return;
      // A field that the form did not have at that time keeps its initial value.
      const resumed = { ...first, ...offer.draft };
      latest.current = resumed;
      setDraft(resumed);
      storeDraft(place, resumed);
      setOffer(undefined);
    },
    discard,
    finish: () => {
      isFinished.current = true;
      discard();
    },
  };
}
