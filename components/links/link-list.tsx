"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useOptimistic, useRef, useState } from "react";
import type { Link } from "#lib/links/fields/schema";
import type { FormAction } from "../forms/form.tsx";
import { useShortcut } from "../shell/shortcuts.tsx";
import { classNames } from "../ui/class-names.ts";
import { DeleteDialog, LinkEditor, SelectionBar } from "./lazy-parts.ts";
import {
  expectChange,
  expectRemoved,
  type GroupActions,
  type LinkChange,
  type ListUpdate,
  readOnlyActions,
} from "./link-group.ts";
import type { Creator } from "./link-parts.tsx";
import { LinkCard, LinkRow } from "./link-row.tsx";
import type { ListLayout } from "./list-layout.ts";

import { pageOf, withoutScheme } from "./names.ts";
import { SelectBox } from "./select-box.tsx";
import { useLinkGroup } from "./use-link-group.ts";
import { useSelection } from "./use-selection.ts";

interface LinkListProps {
  workspace: string;
  links: readonly Link[];
  /** Clicks of the last days by link id. */
  daily: ReadonlyMap<string, readonly number[]>;
  creators: ReadonlyMap<string, Creator>;
  layout: ListLayout;
  /** The time of the page. */
  now: number;
  /** The list includes archived links. */
  withArchived: boolean;
  /** Both null: read-only. */
  editLink: FormAction<{ shortLink: string }> | null;
  group: GroupActions | null;
}

export function LinkList({ workspace, links, layout, editLink, ...rest }: LinkListProps) {
  const t = useTranslations("links");
  const [shown, expect] = useOptimistic(links, (before, change: ListUpdate) => change(before));
  // Kept while their dialogs close, so that the text does not vanish before the box.
  const [editing, setEditing] = useState<{ link: Link; open: boolean }>();
  const [deleting, setDeleting] = useState<{ links: readonly Link[]; open: boolean }>();
  const selection = useSelection(shown);
  const router = useRouter();
  const Item = layout.view === "cards" ? LinkCard : LinkRow;
  const acts = useGroup({ selection, expect, ...rest });
  const list = useRowKeys({
    e: (id) => {
      const link = shown.find((one) => one.id === id);
      if (link && editLink) setEditing({ link, open: true });
    },
    x: selection.toggle,
    q: (id) => router.push(`${pageOf(workspace, id)}/qr`),
  });
  return (
    <>
      <ListHead selection={selection} count={shown.length} apart={layout.view === "cards"}>
        {selection.links.length > 0 ? (
          <SelectionBar
            workspace={workspace}
            links={selection.links}
            onChange={acts && ((change, tags) => acts.change(selection.links, change, tags))}
            onDelete={() => setDeleting({ links: selection.links, open: true })}
            onClear={selection.clear}
          />
        ) : null}
      </ListHead>
      <ul
        ref={list}
        aria-label={t("list")}
        className={
          layout.view === "cards"
            ? "mt-3 grid gap-3 sm:grid-cols-2 xl:grid-cols-3"
            : "overflow-hidden rounded-b-xl border border-line bg-surface"
        }
      >
        {shown.map((link) => (
          <Item
            key={link.id}
            workspace={workspace}
            link={link}
            daily={rest.daily.get(link.id)}
            creator={rest.creators.get(link.id)}
            density={layout.density}
            now={rest.now}
            selected={selection.has(link.id)}
            onSelect={(range) => (range ? selection.toggleTo(link.id) : selection.toggle(link.id))}
            actions={{
              onEdit: editLink && (() => setEditing({ link, open: true })),
              onDuplicate: acts && (() => acts.duplicate(link.id)),
              onArchive: acts && (() => acts.change([link], { archived: !link.archived })),
              onDelete: acts && (() => setDeleting({ links: [link], open: true })),
            }}
          />
        ))}
      </ul>
      {editing && editLink ? (
        <LinkEditor
          key={editing.link.id}
          {...editing}
          onOpenChange={(open) => setEditing({ ...editing, open })}
          editLink={editLink}
        />
      ) : null}
      {deleting ? (
        <DeleteDialog
          {...deleting}
          onOpenChange={(open) => setDeleting({ ...deleting, open })}
          onConfirm={() => acts?.remove(deleting.links)}
        />
      ) : null}
    </>
  );
}

type Selection = ReturnType<typeof useSelection>;

interface GroupOptions extends Pick<LinkListProps, "withArchived" | "group"> {
  selection: Selection;
  expect: (expectation: ListUpdate) => void;
}

/** The actions of the list; null for viewers. */
function useGroup({ selection, expect, withArchived, group }: GroupOptions) {
  const { change, discard, duplicate } = useLinkGroup(group ?? readOnlyActions);
  if (!group) return null;
  const idsOf = (links: readonly Link[]) => links.map(({ id }) => id);
  return {
    duplicate: (id: string) => duplicate(id),
    change(links: readonly Link[], edit: LinkChange, tags: readonly Link["tags"][number][] = []) {
      const ids = idsOf(links);
      const before = selection.ids;
      change(ids, edit, doneWordOf(edit), {
        expect: () => {
          selection.clear();
          expect(expectChange(new Set(ids), edit, { archived: withArchived, tags }));
        },
        refused: () => selection.set(before),
      });
    },
    remove(links: readonly Link[]) {
      const ids = idsOf(links);
      const before = selection.ids;
      discard(ids, withoutScheme(links[0]?.shortLink ?? ""), {
        expect: () => {
          selection.clear();
          expect(expectRemoved(new Set(ids)));
        },
        refused: () => selection.set(before),
      });
    },
  };
}

function doneWordOf({ archived, folderId }: LinkChange) {
  if (archived !== undefined) return archived ? "archived" : "unarchived";
  return folderId === undefined ? "tagged" : "moved";
}

/** Above the rows: selects all of them, and shows the actions for the selection. */
function ListHead({
  selection,
  count,
  apart,
  children,
}: {
  selection: Selection;
  count: number;
  /** The rows below have boxes of their own. */
  apart: boolean;
  children: React.ReactNode;
}) {
  const t = useTranslations("linkGroup");
  const some = selection.links.length > 0;
  return (
    <div
      className={classNames(
        "sticky top-14 z-20 flex h-12 items-center gap-3 border border-line bg-sunken px-3 md:top-0",
        apart ? "rounded-xl" : "rounded-t-xl border-b-0",
      )}
    >
      <SelectBox
        label={t("selectAll")}
        checked={some && selection.links.length === count}
        mixed={some && selection.links.length < count}
        onChange={selection.toggleAll}
      />
      <p role="status" className="mr-auto text-ink-muted text-sm tabular-nums">
        {some ? t("selected", { count: selection.links.length }) : t("onPage", { count })}
      </p>
      {children}
    </div>
  );
}

type RowKeys = Readonly<Record<"e" | "x" | "q", (id: string) => void>>;

/** j and k move the focus between rows; e edits the focused row, x selects it, q opens its code. */
function useRowKeys(keys: RowKeys): React.RefObject<HTMLUListElement | null> {
  const list = useRef<HTMLUListElement>(null);
  function step(by: number) {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
    const here = rows.findIndex((row) => row.closest("li")?.contains(document.activeElement));
    const at = here < 0 ? (by > 0 ? 0 : rows.length - 1) : here + by;
    rows[Math.max(0, Math.min(rows.length - 1, at))]?.focus();
  }
  function onFocused(act: (id: string) => void) {
    const row = document.activeElement?.closest<HTMLElement>("[data-link]");
    const id = row?.dataset["link"];
    if (id) act(id);
  }
  useShortcut("j", () => step(1));
  useShortcut("k", () => step(-1));
  useShortcut("e", () => onFocused(keys.e));
  useShortcut("x", () => onFocused(keys.x));
  useShortcut("q", () => onFocused(keys.q));
  return list;
}
