"use client";

/**
 * What somebody began to write, kept by their browser, so that a closed tab loses nothing: one entry for the new link
 * of each workspace and one for each link that is edited. Never a password; of nobody but who is signed in.
 */
import { useEffect, useRef, useState } from "react";
import type { LinkDraft } from "./draft.ts";

const prefix = "fuxi.draft:";
/** Changes with the fields of a draft: what was written for others is not read. */
const version = 1;
/** An address may have 32,000 characters; what is larger is no draft of this form. */
const draftCharsMax = 500_000;

/** Whose draft of what. */
export interface DraftPlace {
  /** The person. */
  owner: string;
  workspace: string;
  /** The link that is edited, and when it was last changed; left out: a new one. */
  link?: { id: string; updatedAt: string };
}

export interface KeptDraft {
  at: string;
  draft: LinkDraft;
  /** Whether the link was changed since the draft was begun. */
  outdated: boolean;
}

interface Entry {
  version: number;
  owner: string;
  at: string;
  base: string | null;
  draft: LinkDraft;
}

function nameOf({ workspace, link }: DraftPlace): string {
  return `${prefix}${workspace}:${link?.id ?? "new"}`;
}

/** Sound because only `keepDraft` writes entries of this version. */
function entryOf(text: string | null): Entry | undefined {
  try {
    const entry = JSON.parse(text ?? "null") as Entry | null;
    return entry?.version === version ? entry : undefined;
  } catch {
    return undefined; // cut short, or written by others
  }
}

function findDraft(place: DraftPlace): KeptDraft | undefined {
  const entry = entryOf(localStorage.getItem(nameOf(place)));
  if (entry?.owner !== place.owner) return undefined;
  const { at, draft, base } = entry;
  return { at, draft, outdated: base !== null && base !== place.link?.updatedAt };
}

function keepDraft(place: DraftPlace, draft: LinkDraft): void {
  const base = place.link?.updatedAt ?? null;
  const { owner } = place;
  const kept = { ...draft, password: "" };
  const entry: Entry = { version, owner, at: new Date().toISOString(), base, draft: kept };
  const text = JSON.stringify(entry);
  if (text.length > draftCharsMax) return;
  try {
    localStorage.setItem(nameOf(place), text);
  } catch {
    // The browser keeps nothing more: the form works all the same.
  }
}

function dropDraft(place: DraftPlace): void {
  localStorage.removeItem(nameOf(place));
}

/** Forgets every draft of this browser but those of somebody. */
export function forgetDrafts(except?: string): void {
  for (const name of Object.keys(localStorage)) {
    if (!name.startsWith(prefix)) continue;
    const owner = entryOf(localStorage.getItem(name))?.owner;
    if (owner === undefined || owner !== except) localStorage.removeItem(name);
  }
}

export interface DraftState {
  draft: LinkDraft;
  change: (changes: Partial<LinkDraft>) => void;
  /** What was begun before, as long as nobody decided about it. */
  offer: KeptDraft | undefined;
  resume: () => void;
  /** Throws away what was begun, before or now. */
  discard: () => void;
}

/** The draft of a form. It is written down with every change: nobody says when a tab will be closed. */
export function useDraft(place: DraftPlace, initial: () => LinkDraft): DraftState {
  const [first] = useState(initial);
  const [draft, setDraft] = useState(first);
  // What was written last, also for those who come back to it later than they began.
  const latest = useRef(first);
  const [offer, setOffer] = useState<KeptDraft>();
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
      const next = { ...latest.current, ...changes };
      latest.current = next;
      setDraft(next);
      const isSame = JSON.stringify({ ...next, password: "" }) === JSON.stringify(first);
      if (isSame) dropDraft(place);
      else keepDraft(place, next);
    },
    resume: () => {
      if (!offer) return;
      latest.current = offer.draft;
      setDraft(offer.draft);
      keepDraft(place, offer.draft);
      setOffer(undefined);
    },
    discard: () => {
      dropDraft(place);
      setOffer(undefined);
    },
  };
}
