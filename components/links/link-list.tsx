"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useOptimistic, useRef, useState } from "react";
import type { Link } from "#lib/links/fields/schema";
import type { FormAction } from "../forms/form.tsx";
import { useShortcut } from "../shell/shortcuts.tsx";
import { classNames } from "../ui/class-names.ts";
import { DeleteDialog, LinkEditor, SelectionBar } from "./late.ts";
import {
  type Expectation,
  expectChange,
  expectGone,
  type GroupActions,
  type LinkChange,
  nobody,
} from "./link-group.ts";
import { type Creator, LinkCard, LinkRow } from "./link-row.tsx";
import type { ListLook } from "./list-look.ts";

import { pageOf, withoutScheme } from "./names.ts";
import { SelectBox } from "./select-box.tsx";
import { useLinkGroup } from "./use-link-group.ts";
import { useMarked } from "./use-marked.ts";

interface LinkListProps {
  workspace: string;
  links: readonly Link[];
  /** Clicks of the last days by link id. */
  daily: ReadonlyMap<string, readonly number[]>;
  creators: ReadonlyMap<string, Creator>;
  look: ListLook;
  /** The list includes archived links. */
  withArchived: boolean;
  /** Both null: read-only. */
  editLink: FormAction<{ shortLink: string }> | null;
  group: GroupActions | null;
}

export function LinkList({ workspace, links, look, editLink, ...rest }: LinkListProps) {
  const t = useTranslations("links");
  const [shown, expect] = useOptimistic(links, (before, change: Expectation) => change(before));
  // Kept while their dialogs close, so that the text does not vanish before the box.
  const [editing, setEditing] = useState<{ link: Link; open: boolean }>();
  const [deleting, setDeleting] = useState<{ links: readonly Link[]; open: boolean }>();
  const marked = useMarked(shown);
  const router = useRouter();
  const Item = look.view === "cards" ? LinkCard : LinkRow;
  const acts = useGroupOf({ marked, expect, ...rest });
  const list = useRowKeys({
    e: (id) => {
      const link = shown.find((one) => one.id === id);
      if (link && editLink) setEditing({ link, open: true });
    },
    x: marked.toggle,
    q: (id) => router.push(`${pageOf(workspace, id)}/qr`),
  });
  return (
    <>
      <ListHead marked={marked} count={shown.length} apart={look.view === "cards"}>
        {marked.links.length > 0 ? (
          <SelectionBar
            workspace={workspace}
            links={marked.links}
            onChange={acts && ((change, tags) => acts.change(marked.links, change, tags))}
            onDelete={() => setDeleting({ links: marked.links, open: true })}
            onClear={marked.clear}
          />
        ) : null}
      </ListHead>
      <ul
        ref={list}
        aria-label={t("list")}
        className={
          look.view === "cards"
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
            density={look.density}
            selected={marked.has(link.id)}
            onSelect={(range) => (range ? marked.toggleTo(link.id) : marked.toggle(link.id))}
            acts={{
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

type Marked = ReturnType<typeof useMarked>;

interface GroupOf extends Pick<LinkListProps, "withArchived" | "group"> {
  marked: Marked;
  expect: (expectation: Expectation) => void;
}

/** The actions of the list; null for viewers. */
function useGroupOf({ marked, expect, withArchived, group }: GroupOf) {
  const { change, discard, duplicate } = useLinkGroup(group ?? nobody);
  if (!group) return null;
  const idsOf = (links: readonly Link[]) => links.map(({ id }) => id);
  return {
    duplicate: (id: string) => duplicate(id),
    change(links: readonly Link[], wish: LinkChange, tags: readonly Link["tags"][number][] = []) {
      const ids = idsOf(links);
      const before = marked.ids;
      change(ids, wish, wordOf(wish), {
        expect: () => {
          marked.clear();
          expect(expectChange(new Set(ids), wish, { archived: withArchived, tags }));
        },
        refused: () => marked.set(before),
      });
    },
    remove(links: readonly Link[]) {
      const ids = idsOf(links);
      const before = marked.ids;
      discard(ids, withoutScheme(links[0]?.shortLink ?? ""), {
        expect: () => {
          marked.clear();
          expect(expectGone(new Set(ids)));
        },
        refused: () => marked.set(before),
      });
    },
  };
}

function wordOf({ archived, folderId }: LinkChange) {
  if (archived !== undefined) return archived ? "archived" : "unarchived";
  return folderId === undefined ? "tagged" : "moved";
}

/** Above the rows: selects all of them, and shows the actions for the selection. */
function ListHead({
  marked,
  count,
  apart,
  children,
}: {
  marked: Marked;
  count: number;
  /** The rows below have boxes of their own. */
  apart: boolean;
  children: React.ReactNode;
}) {
  const t = useTranslations("linkGroup");
  const some = marked.links.length > 0;
  return (
    <div
      className={classNames(
        "sticky top-14 z-20 flex h-12 items-center gap-3 border border-line bg-sunken px-3 md:top-0",
        apart ? "rounded-xl" : "rounded-t-xl border-b-0",
      )}
    >
      <SelectBox
        label={t("selectAll")}
        checked={some && marked.links.length === count}
        mixed={some && marked.links.length < count}
        onChange={marked.toggleAll}
      />
      <p role="status" className="mr-auto text-ink-muted text-sm tabular-nums">
        {some ? t("selected", { count: marked.links.length }) : t("onPage", { count })}
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
