"use client";

import type { FormAction } from "#components/forms/form";
import type { Link } from "#lib/links/fields/schema";
import { DeleteDialog, LinkEditor } from "./lazy-parts.ts";
import type { ListRange } from "./list-head.tsx";

export interface Editing {
  link: Link;
  open: boolean;
}

export interface Deleting {
  links: readonly Link[];
  /** All that match, instead of the links. */
  all: boolean;
  open: boolean;
}

interface LinkDialogsProps {
  editing: Editing | undefined;
  onEditing: (editing: Editing) => void;
  editLink: FormAction<{ shortLink: string }> | null;
  deleting: Deleting | undefined;
  onDeleting: (deleting: Deleting) => void;
  range: ListRange;
  onDelete: (deleting: Deleting) => void;
}

/** The dialogs of a list. They stay while they close, so that the text does not vanish before the box. */
export function LinkDialogs(props: LinkDialogsProps) {
  const { editing, onEditing, editLink, deleting, onDeleting, range, onDelete } = props;
  return (
    <>
      {editing && editLink ? (
        <LinkEditor
          key={editing.link.id}
          {...editing}
          onOpenChange={(open) => onEditing({ ...editing, open })}
          editLink={editLink}
        />
      ) : null}
      {deleting ? (
        <DeleteDialog
          links={deleting.links}
          open={deleting.open}
          onOpenChange={(open) => onDeleting({ ...deleting, open })}
          all={deleting.all ? range : undefined}
          onConfirm={() => onDelete(deleting)}
        />
      ) : null}
    </>
  );
}
