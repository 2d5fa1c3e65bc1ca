"use client";

import { CornerDownRight, Ellipsis, Pencil, QrCode } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { PrefetchLink } from "#components/shell/prefetch-link";
import { useShortcut } from "#components/shell/shortcuts";
import { Button } from "#components/ui/button";
import { CopyButton } from "#components/ui/copy-button";
import { Menu, MenuContent, MenuTrigger } from "#components/ui/menu";
import type { Link } from "#lib/links/fields/schema";
import type { LinkEdits } from "./editor-drawer.tsx";
import { LinkEditor } from "./lazy-parts.ts";
import { type GroupActions, readOnlyActions } from "./link-group.ts";
import { useCopyLink, visitLink } from "./link-keys.ts";
import { ChangeItems, VisitItem } from "./link-menu.tsx";
import { Tags } from "./link-parts.tsx";
import { withoutScheme } from "./names.ts";
import { useLinkGroup } from "./use-link-group.ts";

interface LinkHeadProps {
  link: Link;
  now: number;
  listHref: string;
  edits: LinkEdits | null;
  group: GroupActions | null;
}

export function LinkHead({ link, now, listHref, edits, group }: LinkHeadProps) {
  const t = useTranslations("links");
  const page = useTranslations("linkPage");
  const common = useTranslations("common");
  const [editing, setEditing] = useState(false);
  // The editor is loaded on first use. It stays mounted while it closes.
  const [edited, setEdited] = useState(false);
  const router = useRouter();
  const { change, discard, duplicate } = useLinkGroup(group ?? readOnlyActions);
  const name = withoutScheme(link.shortLink);
  const copy = useCopyLink();
  useShortcut("edit", edit);
  useShortcut("copy", () => copy(link));
  useShortcut("visit", () => visitLink(link));
  useShortcut("duplicate", duplicateIt);
  useShortcut("archive", archive);
  useShortcut("delete", remove);

  function edit() {
    setEdited(true);
    setEditing(true);
  }

  function duplicateIt() {
    if (group) duplicate(link.id, (copied) => router.push(`${listHref}/${copied}`), leave);
  }

  function archive() {
    if (!group) return;
    const archived = !link.archived;
    change([link.id], { archived }, archived ? "archived" : "unarchived");
  }

  function remove() {
    if (group) discard([link.id], name, { done: leave });
  }

  function leave() {
    router.replace(listHref);
    router.refresh();
  }

  return (
    <div className="mb-6 flex flex-col items-start gap-3 sm:flex-row">
      <div className="grid min-w-0 max-w-full flex-1 gap-1">
        <h1 className="break-all font-semibold text-xl tracking-tight">{name}</h1>
        <Tags link={link} now={now} hasTags />
        <p className="flex min-w-0 items-start gap-1 text-ink-muted text-sm">
          <CornerDownRight aria-hidden className="mt-1 size-3 shrink-0 text-ink-faint" />
          <a
            href={link.url}
            target="_blank"
            rel="noreferrer"
            className="line-clamp-2 break-all rounded-xs underline-offset-4 hover:underline"
          >
            {withoutScheme(link.url)}
          </a>
        </p>
      </div>
      <div className="flex shrink-0 items-center gap-2">
        <CopyButton text={link.shortLink} label={t("copy", { link: name })}>
          {page("copy")}
        </CopyButton>
        <Button asChild>
          <PrefetchLink href={`${listHref}/${link.id}/qr`} aria-keyshortcuts="q">
            <QrCode aria-hidden />
            <span className="max-sm:sr-only">{t("qrCode")}</span>
          </PrefetchLink>
        </Button>
        {edits ? (
          <Button onClick={edit} aria-keyshortcuts="e">
            <Pencil aria-hidden />
            {common("edit")}
          </Button>
        ) : null}
        <Menu>
          <MenuTrigger asChild>
            <Button variant="ghost" size="icon" aria-label={t("more", { link: name })}>
              <Ellipsis aria-hidden />
            </Button>
          </MenuTrigger>
          <MenuContent align="end">
            <VisitItem link={link} />
            {group ? (
              <ChangeItems
                link={link}
                onDuplicate={duplicateIt}
                onArchive={archive}
                onDelete={remove}
              />
            ) : null}
          </MenuContent>
        </Menu>
      </div>
      {edits && edited ? (
        <LinkEditor link={link} open={editing} onOpenChange={setEditing} edits={edits} />
      ) : null}
    </div>
  );
}
