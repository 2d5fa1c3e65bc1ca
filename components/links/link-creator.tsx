"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import type { FormAction } from "#components/forms/form";
import { deleteDrafts } from "#components/forms/stored-drafts.ts";
import { lazyPart } from "#components/messages/lazy-part";
import { useShortcut } from "#components/shell/shortcuts";
import { Dialog, DialogContent } from "#components/ui/dialog";
import { Skeleton } from "#components/ui/skeleton";
import { closeCreatedNotice, useCreatedNotice } from "./created-link.tsx";
import { CreatorContext, type ReadRetirementDefault } from "./creator-context.ts";
import type { LinkDraft } from "./link-draft.ts";
import { startOfLink } from "./start-of-link.ts";

// Loaded on demand, because it is as large as the rest of the page.
const CreateForm = lazyPart(() => import("./create-form.tsx").then((one) => one.CreateForm), {
  loading: () => <Skeleton className="h-80" />,
});

export interface CreatedLink {
  id: string;
  shortLink: string;
}

/** What a new link starts with: a page, a missed slug, or what it shares with the previous link of a series. */
export type KeptFields = Partial<
  Pick<LinkDraft, "domain" | "key" | "folderId" | "tagIds" | "url" | "title">
>;

export interface LinkCreatorProps {
  workspace: string;
  owner: string;
  /** Hosts on which the workspace may create links; the first is the default. */
  hosts: readonly string[];
  zone: string;
  createLink: FormAction<CreatedLink> | null;
  readRetirementDefault: ReadRetirementDefault;
  children: ReactNode;
}

export function LinkCreator(props: LinkCreatorProps) {
  const { workspace, owner, hosts, zone, createLink, readRetirementDefault, children } = props;
  const t = useTranslations("linkForm.creator");
  const [open, setOpen] = useState(false);
  const [kept, setKept] = useState<KeptFields>();
  const notify = useCreatedNotice(workspace);
  const mayCreate = createLink !== null;
  const openWith = useCallback((fields?: KeptFields) => {
    closeCreatedNotice();
    setKept(fields);
    setOpen(true);
  }, []);
  const value = useMemo(
    () => ({
      workspace,
      owner,
      zone,
      readRetirementDefault,
      openCreator: mayCreate ? openWith : null,
    }),
    [workspace, owner, zone, readRetirementDefault, mayCreate, openWith],
  );
  useShortcut("create", () => value.openCreator?.());
  // The bookmarklet opens this page. The URL is cleared, so that a reload does not open the form again.
  useEffect(() => {
    const start = startOfLink(new URLSearchParams(window.location.search));
    if (!start || !mayCreate) return;
    openWith(start);
    window.history.replaceState(null, "", window.location.pathname);
  }, [mayCreate, openWith]);
  // Another user may have left without signing out.
  useEffect(() => deleteDrafts(owner), [owner]);
  return (
    <CreatorContext value={value}>
      {children}
      <Dialog open={open} onOpenChange={setOpen}>
        <DialogContent
          side="right"
          title={t("createTitle")}
          className="max-w-xl min-[1100px]:max-w-[64rem]"
        >
          {createLink ? (
            <CreateForm
              workspace={workspace}
              owner={owner}
              hosts={hosts}
              zone={zone}
              kept={kept}
              createLink={createLink}
              onCreated={(link, fields) => {
                setOpen(false);
                void notify(link, () => openWith(fields));
              }}
            />
          ) : null}
        </DialogContent>
      </Dialog>
    </CreatorContext>
  );
}
