/**
 * Drafts stored in the browser, so that a closed tab loses nothing. Each new or edited object of a workspace has one entry. Only
 * drafts of the signed-in user are kept.
 */

const prefix = "fuxi.draft:";
/** A URL may have 32,000 characters. Anything larger than this is not a draft. */
const draftCharsMax = 500_000;

export interface DraftPlace {
  owner: string;
  workspace: string;
  /** The id of the edited object, or a name for the new one. */
  subject: string;
  /** Increased when the values of a field change their meaning, so that older entries are ignored. */
  version: number;
  /** The last change of the edited object; undefined for a new one. */
  base: string | undefined;
}

export interface StoredDraft<Draft> {
  at: string;
  draft: Draft;
  outdated: boolean;
}

interface DraftEntry<Draft> {
  version: number;
  owner: string;
  at: string;
  base: string | null;
  draft: Draft;
}

function nameOf({ workspace, subject }: DraftPlace): string {
  return `${prefix}${workspace}:${subject}`;
}

/** Sound because only `storeDraft` writes these entries, and the version identifies the fields of a draft. */
function entryOf<Draft>(text: string | null): DraftEntry<Draft> | undefined {
  try {
    return (JSON.parse(text ?? "null") as DraftEntry<Draft> | null) ?? undefined;
  } catch {
    return undefined; // truncated, or written by another program
  }
}

export function findDraft<Draft>(place: DraftPlace): StoredDraft<Draft> | undefined {
  const entry = entryOf<Draft>(localStorage.getItem(nameOf(place)));
  if (entry?.owner !== place.owner || entry.version !== place.version) return undefined;
  const { at, draft, base } = entry;
  return { at, draft, outdated: base !== null && base !== place.base };
}

export function storeDraft<Draft>(place: DraftPlace, draft: Draft): void {
  const { owner, version, base = null } = place;
  const at = new Date().toISOString();
  const text = JSON.stringify({ version, owner, at, base, draft } satisfies DraftEntry<Draft>);
  if (text.length > draftCharsMax) return;
  try {
    localStorage.setItem(nameOf(place), text);
  } catch {
    // The browser's storage is full: the form works without it.
  }
}

export function deleteDraft(place: DraftPlace): void {
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
