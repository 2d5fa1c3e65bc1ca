"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import type { FormAction } from "#components/forms/form";
import { deleteDrafts } from "#components/forms/stored-drafts.ts";
import { lazyPart } from "#components/messages/lazy-part";
import { useShortcut } from "#components/shell/shortcuts";
import { Dialog, DialogContent } from "#components/ui/dialog";
import { Sheet, SheetContent } from "#components/ui/sheet";
import { Skeleton } from "#components/ui/skeleton";
import { CreatorContext, type ReadRetirementDefault } from "./creator-context.ts";
import type { LinkDraft } from "./link-draft.ts";
import { withoutScheme } from "./names.ts";
import { startOfLink } from "./start-of-link.ts";

// Loaded on demand, because it is as large as the rest of the page.
const CreateForm = lazyPart(() => import("./create-form.tsx").then((one) => one.CreateForm), {
  loading: () => <Skeleton className="h-80" />,
});

const CreatedLinkView = lazyPart(
  () => import("./created-link.tsx").then((one) => one.CreatedLinkView),
  { loading: () => <Skeleton className="h-40" /> },
);

export interface CreatedLink {
  shortLink: string;
  url: string;
}

/** What a new link starts with: a page, or what it shares with the previous link of a series. */
export type KeptFields = Partial<
  Pick<LinkDraft, "domain" | "folderId" | "tagIds" | "url" | "title">
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
  const [created, setCreated] = useState<CreatedLink>();
  const [kept, setKept] = useState<KeptFields>();
  const mayCreate = createLink !== null;
  const value = useMemo(() => {
    const openCreator = () => {
      setCreated(undefined);
      setKept(undefined);
      setOpen(true);
    };
    return {
      workspace,
      owner,
      zone,
      readRetirementDefault,
      openCreator: mayCreate ? openCreator : null,
    };
  }, [workspace, owner, zone, readRetirementDefault, mayCreate]);
  useShortcut("create", () => value.openCreator?.());
  // The bookmarklet opens this page. The URL is cleared, so that a reload does not open the form again.
  useEffect(() => {
    const start = startOfLink(new URLSearchParams(window.location.search));
    if (!start || !mayCreate) return;
    setKept(start);
    setOpen(true);
    window.history.replaceState(null, "", window.location.pathname);
  }, [mayCreate]);
  // Another user may have left without signing out.
  useEffect(() => deleteDrafts(owner), [owner]);
  return (
    <CreatorContext value={value}>
      {children}
      <Sheet open={open && !created} onOpenChange={setOpen}>
        <SheetContent title={t("createTitle")} className="max-w-xl min-[1100px]:max-w-[64rem]">
          {createLink ? (
            <CreateForm
              workspace={workspace}
              owner={owner}
              hosts={hosts}
              zone={zone}
              kept={kept}
              createLink={createLink}
              onCreated={(link, fields) => {
                setKept(fields);
                setCreated(link);
              }}
            />
          ) : null}
        </SheetContent>
      </Sheet>
      <Dialog open={open && created !== undefined} onOpenChange={setOpen}>
        {created ? (
          <DialogContent
            title={t("createdTitle")}
            description={
              <span className="line-clamp-2 break-all">
                {t("createdText", { url: withoutScheme(created.url) })}
              </span>
            }
          >
            <CreatedLinkView link={created} onAnother={() => setCreated(undefined)} />
          </DialogContent>
        ) : null}
      </Dialog>
    </CreatorContext>
  );
}
