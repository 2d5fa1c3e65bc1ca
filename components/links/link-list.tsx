"use client";

import { useRouter, useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { startTransition, useMemo, useOptimistic, useRef, useState } from "react";
import { useAction } from "#components/forms/form";
import { useShortcut } from "#components/shell/shortcuts";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import type { ListChange, ReplaceHost } from "#lib/links/editing/schema";
import type { Link } from "#lib/links/fields/schema";
import { ColumnHeads } from "./column-heads.tsx";
import type { LinkEdits } from "./editor-drawer.tsx";
import { SelectionBar } from "./lazy-parts.ts";
import {
  expectChange,
  expectRemoved,
  type GroupActions,
  type LinkChange,
  type ListUpdate,
  readOnlyActions,
} from "./link-group.ts";
import { useCopyLink, visitLink } from "./link-keys.ts";
import { LinkCard, LinkRow } from "./link-row.tsx";
import { type ListDialog, ListDialogs } from "./list-dialogs.tsx";
import { ListHead, type ListRange } from "./list-head.tsx";
import type { ListJobActions } from "./list-job.tsx";
import type { ListLayout } from "./list-layout.ts";
import { type NamedOption, pageOf, withoutScheme } from "./names.ts";
import { htmlRows } from "./page-size.ts";
import { type SentRows, withEmptyFields } from "./sent-rows.ts";
import { useFolderDrop } from "./use-folder-drop.ts";
import { useLinkGroup } from "./use-link-group.ts";
import { type Selection, useSelection } from "./use-selection.ts";

interface LinkListProps {
  workspace: string;
  sent: SentRows;
  layout: ListLayout;
  now: number;
  range: ListRange;
  /** Names of the folders of these links, and of those next to the list. */
  folders: readonly NamedOption[];
  withArchived: boolean;
  edits: LinkEdits | null;
  group: GroupActions | null;
  jobs: ListJobActions | null;
  /** Null if the links cannot be exported, nor anything else be done with a selection. */
  exportHref: string | null;
  /** Shown below the rows. It appears with the last rows, because it would move away from under a click otherwise. */
  foot: React.ReactNode;
}

const listClasses = {
  cards: "mt-3 grid gap-3 sm:grid-cols-[repeat(auto-fill,minmax(20rem,1fr))]",
  rows: "@container overflow-hidden rounded-b-xl border border-line bg-surface",
};

export function LinkList({ workspace, sent, layout, edits, ...rest }: LinkListProps) {
  const t = useTranslations("links");
  const { links, daily, creators } = useMemo(() => withEmptyFields(sent), [sent]);
  const [shown, expect] = useOptimistic(links, (before, change: ListUpdate) => change(before));
  const [dialog, setDialog] = useState<ListDialog>();
  const selection = useSelection(shown);
  const inHtml = useHydrated() ? shown : shown.slice(0, htmlRows);
  const dailyOf = new Map(links.map(({ id }, at) => [id, daily[at] ?? undefined]));
  const Item = layout.view === "cards" ? LinkCard : LinkRow;
  const acts = useGroup({ selection, expect, ...rest });
  const folderNames = new Map(rest.folders.map(({ id, name }) => [id, name]));
  const list = useListKeys({ workspace, shown, selection, acts, edits, setDialog });
  const startDrag = useFolderDrop(shown, selection, acts);
  return (
    <>
      <ListHead
        selection={selection}
        count={shown.length}
        range={rest.range}
        apart={layout.view === "cards"}
        mayAll={rest.jobs !== null}
        heads={layout.view === "rows" ? <ColumnHeads layout={layout} /> : null}
      >
        {selection.count > 0 && rest.exportHref !== null ? (
          <SelectionBar
            workspace={workspace}
            links={selection.all ? shown : selection.links}
            all={selection.all ? { range: rest.range, exportHref: rest.exportHref } : null}
            changes={acts}
            onDelete={() =>
              selection.count === 1 && !selection.all
                ? acts?.remove(selection.links)
                : setDialog(deletionOf(selection))
            }
            onClear={selection.clear}
          />
        ) : null}
      </ListHead>
      <ul
        ref={list}
        aria-label={t("list")}
        className={listClasses[layout.view]}
        {...(acts !== null ? { onDragStart: startDrag } : {})}
      >
        {inHtml.map((link) => (
          <Item
            key={link.id}
            workspace={workspace}
            link={link}
            daily={dailyOf.get(link.id)}
            creator={creators.get(link.id)}
            folder={link.folderId ? folderNames.get(link.folderId) : undefined}
            layout={layout}
            now={rest.now}
            selected={selection.has(link.id)}
            onSelect={(range) => (range ? selection.toggleTo(link.id) : selection.toggle(link.id))}
            actions={rowActionsOf(link, { acts, edits, setDialog })}
          />
        ))}
      </ul>
      {inHtml.length === shown.length ? rest.foot : null}
      <ListDialogs
        workspace={workspace}
        dialog={dialog}
        onDialog={setDialog}
        edits={edits}
        range={rest.range}
        onMove={(link, folderId) => acts?.change([link], { folderId })}
        onDelete={(some, all) => (all ? acts?.removeAll() : acts?.remove(some))}
      />
    </>
  );
}

interface RowOptions extends Pick<LinkListProps, "edits"> {
  acts: ReturnType<typeof useGroup>;
  setDialog: (dialog: ListDialog) => void;
}

function rowActionsOf(link: Link, { acts, edits, setDialog }: RowOptions) {
  return {
    onEdit: edits && (() => setDialog({ kind: "edit", link, open: true })),
    onQuickEdit: edits && (() => setDialog({ kind: "quickEdit", link, open: true })),
    onMove: acts && (() => setDialog({ kind: "move", link, open: true })),
    onDuplicate: acts && (() => acts.duplicate(link.id)),
    onArchive: acts && (() => acts.change([link], { archived: !link.archived })),
    onDelete: acts && (() => acts.remove([link])),
  };
}

function deletionOf({ links, all }: Pick<Selection, "links" | "all">): ListDialog {
  return { kind: "delete", links, all, open: true };
}

interface ListKeysOptions extends RowOptions, Pick<LinkListProps, "workspace"> {
  shown: readonly Link[];
  selection: Selection;
}

function useListKeys(options: ListKeysOptions) {
  const { workspace, shown, selection, acts, edits, setDialog } = options;
  const router = useRouter();
  const copy = useCopyLink();
  const withLink = (act: (link: Link) => void) => (id: string) => {
    const link = shown.find((one) => one.id === id);
    if (link) act(link);
  };
  return useRowKeys({
    edit: withLink((link) => edits && setDialog({ kind: "edit", link, open: true })),
    quickEdit: withLink((link) => edits && setDialog({ kind: "quickEdit", link, open: true })),
    select: selection.toggle,
    // With a selection, its bar answers the key.
    move: withLink((link) => {
      if (acts !== null && selection.count === 0) setDialog({ kind: "move", link, open: true });
    }),
    code: (id) => router.push(`${pageOf(workspace, id)}/qr`),
    copy: withLink(copy),
    visit: withLink(visitLink),
    duplicate: (id) => acts?.duplicate(id),
    archive: withLink((link) => acts?.change([link], { archived: !link.archived })),
    delete: withLink((link) => acts?.remove([link])),
  });
}

interface GroupOptions extends Pick<LinkListProps, "withArchived" | "group" | "jobs"> {
  selection: Selection;
  expect: (expectation: ListUpdate) => void;
}

function useGroup({ selection, expect, withArchived, group, jobs }: GroupOptions) {
  const { change, discard, duplicate } = useLinkGroup(group ?? readOnlyActions);
  const params = useSearchParams();
  const runAction = useAction();
  if (!group || !jobs) return null;
  const idsOf = (links: readonly Link[]) => links.map(({ id }) => id);
  const { start, previewHost } = jobs;
  /** Changes all links that match, in a worker. */
  function startJob(edit: ListChange) {
    startTransition(async () => {
      const started = await runAction(() => start(params.toString(), edit));
      if (started) selection.clear();
    });
  }
  const acts = {
    duplicate: (id: string) => duplicate(id),
    change(links: readonly Link[], edit: LinkChange, tags: readonly Link["tags"][number][] = []) {
      const ids = idsOf(links);
      const before = selection.links;
      // Before the transition, which holds its updates until the action has ended.
      selection.clear();
      change(ids, edit, doneWordOf(edit), {
        expect: () => expect(expectChange(new Set(ids), edit, { archived: withArchived, tags })),
        refused: () => selection.put(before),
      });
    },
    remove(links: readonly Link[]) {
      const ids = idsOf(links);
      const before = selection.links;
      selection.clear();
      discard(ids, withoutScheme(links[0]?.shortLink ?? ""), {
        expect: () => expect(expectRemoved(new Set(ids))),
        refused: () => selection.put(before),
      });
    },
  };
  return {
    ...acts,
    changeSelected(edit: LinkChange, tags?: readonly Link["tags"][number][]) {
      if (selection.all) startJob(edit);
      else acts.change(selection.links, edit, tags);
    },
    previewHost(step: ReplaceHost) {
      return previewHost(selection.all ? params.toString() : idsOf(selection.links), step);
    },
    removeAll: () => startJob({ delete: true }),
  };
}

function doneWordOf({ archived, disabled, folderId, replaceHost }: LinkChange) {
  if (archived !== undefined) return archived ? "archived" : "unarchived";
  if (disabled !== undefined) return disabled ? "disabled" : "enabled";
  if (replaceHost) return "hostReplaced";
  return folderId === undefined ? "tagged" : "moved";
}

type RowKeys = Readonly<
  Record<
    | "edit"
    | "quickEdit"
    | "move"
    | "select"
    | "code"
    | "copy"
    | "visit"
    | "duplicate"
    | "archive"
    | "delete",
    (id: string) => void
  >
>;

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
  useShortcut("next", () => step(1));
  useShortcut("previous", () => step(-1));
  useShortcut("edit", () => onFocused(keys.edit));
  useShortcut("quickEdit", () => onFocused(keys.quickEdit));
  useShortcut("move", () => onFocused(keys.move));
  useShortcut("select", () => onFocused(keys.select));
  useShortcut("code", () => onFocused(keys.code));
  useShortcut("copy", () => onFocused(keys.copy));
  useShortcut("visit", () => onFocused(keys.visit));
  useShortcut("duplicate", () => onFocused(keys.duplicate));
  useShortcut("archive", () => onFocused(keys.archive));
  useShortcut("delete", () => onFocused(keys.delete));
  return list;
}
