/**
 * Drafts stored in the browser, so that a closed tab loses nothing: one entry for the new link of each workspace and
 * one for each edited link. Never a password; only those of the signed-in user.
 */
import type { LinkDraft } from "./link-draft.ts";

const prefix = "fuxi.draft:";
/** Increased when the fields of a draft change: older entries are ignored. */
const version = 3;
/** A URL may have 32,000 characters; anything larger is not a draft of this form. */
const draftCharsMax = 500_000;

/** What a draft belongs to. */
export interface DraftTarget {
  /** The user. */
  owner: string;
  workspace: string;
  /** The edited link, and its last change; omitted: a new one. */
  link?: { id: string; updatedAt: string };
}

export interface StoredDraft {
  at: string;
  draft: LinkDraft;
  /** Whether the link changed since the draft was started. */
  outdated: boolean;
}

interface DraftEntry {
  version: number;
  owner: string;
  at: string;
  base: string | null;
  draft: LinkDraft;
}

function nameOf({ workspace, link }: DraftTarget): string {
  return `${prefix}${workspace}:${link?.id ?? "new"}`;
}

/** Sound because only `storeDraft` writes entries of this version. */
function entryOf(text: string | null): DraftEntry | undefined {
  try {
    const entry = JSON.parse(text ?? "null") as DraftEntry | null;
    return entry?.version === version ? entry : undefined;
  } catch {
    return undefined; // truncated, or written by another program
  }
}

export function findDraft(place: DraftTarget): StoredDraft | undefined {
  const entry = entryOf(localStorage.getItem(nameOf(place)));
  if (entry?.owner !== place.owner) return undefined;
  const { at, draft, base } = entry;
  return { at, draft, outdated: base !== null && base !== place.link?.updatedAt };
}

export function storeDraft(place: DraftTarget, draft: LinkDraft): void {
  const base = place.link?.updatedAt ?? null;
  const { owner } = place;
  const kept = { ...draft, password: "" };
  const entry: DraftEntry = { version, owner, at: new Date().toISOString(), base, draft: kept };
  const text = JSON.stringify(entry);
  if (text.length > draftCharsMax) return;
  try {
    localStorage.setItem(nameOf(place), text);
  } catch {
    // The browser's storage is full: the form works without it.
  }
}

export function deleteDraft(place: DraftTarget): void {
  localStorage.removeItem(nameOf(place));
}

/** Deletes every draft in this browser except those of one user. */
export function deleteDrafts(except?: string): void {
  for (const name of Object.keys(localStorage)) {
    if (!name.startsWith(prefix)) continue;
    const owner = entryOf(localStorage.getItem(name))?.owner;
    if (owner === undefined || owner !== except) localStorage.removeItem(name);
  }
}
