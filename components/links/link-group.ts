import type { FormAnswer } from "#components/forms/form";
import type { GroupStep } from "#lib/links/editing/schema";
import type { Link } from "#lib/links/fields/schema";

/** Why some links were not changed: one code per link. */
export interface PartialFailure {
  refused: readonly string[];
}

export interface GroupResult extends PartialFailure {
  changed: number;
  undo: GroupStep[];
}

export interface GroupActions {
  changeLinks: (steps: GroupStep[]) => Promise<FormAnswer<GroupResult>>;
  deleteLinks: (ids: string[]) => Promise<FormAnswer<{ ids: string[] }>>;
  restoreLinks: (ids: string[]) => Promise<FormAnswer<PartialFailure & { restored: number }>>;
  duplicateLink: (id: string) => Promise<FormAnswer<{ id: string; shortLink: string }>>;
}

const notAllowed = async () => ({ ok: false, form: "forbidden" }) as const;

export const readOnlyActions: GroupActions = {
  changeLinks: notAllowed,
  deleteLinks: notAllowed,
  restoreLinks: notAllowed,
  duplicateLink: notAllowed,
};

export type LinkChange = Omit<GroupStep, "linkIds">;

export type ListUpdate = (links: readonly Link[]) => readonly Link[];

/** The expected list after a change, shown until the server answers. */
export function expectChange(
  ids: ReadonlySet<string>,
  change: LinkChange,
  { archived, tags }: { archived: boolean; tags: readonly Link["tags"][number][] },
): ListUpdate {
  const removed = new Set(change.removeTagIds);
  const added = tags.filter(({ id }) => change.addTagIds?.includes(id));
  return (links) =>
    links.flatMap((link) => {
      if (!ids.has(link.id)) return link;
      if (change.archived && !archived) return [];
      const kept = link.tags.filter((tag) => !removed.has(tag.id));
      const fresh = added.filter((tag) => !kept.some(({ id }) => id === tag.id));
      return {
        ...link,
        archived: change.archived ?? link.archived,
        disabledAt: disabledAfter(link, change),
        folderId: change.folderId === undefined ? link.folderId : change.folderId,
        tags: [...kept, ...fresh].sort((a, b) => (a.name < b.name ? -1 : 1)),
      };
    });
}

function disabledAfter({ disabledAt }: Link, { disabled }: LinkChange): string | null {
  if (disabled === undefined) return disabledAt;
  return disabled ? (disabledAt ?? new Date().toISOString()) : null;
}

export function expectRemoved(ids: ReadonlySet<string>): ListUpdate {
  return (links) => links.filter(({ id }) => !ids.has(id));
}
