"use client";

import { useTranslations } from "next-intl";
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from "react";
import type { FormAction } from "../forms/form.tsx";
import { lazyPart } from "../messages/lazy-part.tsx";
import { useShortcut } from "../shell/shortcuts.tsx";
import { Button } from "../ui/button.tsx";
import { CopyField } from "../ui/copy-field.tsx";
import { Dialog, DialogActions, DialogClose, DialogContent } from "../ui/dialog.tsx";
import { Sheet, SheetContent } from "../ui/sheet.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { deleteDrafts } from "./draft-store.ts";
import { withoutScheme } from "./names.ts";

// As large as the rest of the page, so it is loaded on demand.
const CreateForm = lazyPart(
  () => import("./create-form.tsx").then((one) => one.CreateForm),
  () => <Skeleton className="h-80" />,
);

export interface CreatedLink {
  shortLink: string;
  url: string;
}

export interface LinkCreatorProps {
  workspace: string;
  owner: string;
  /** Hosts on which the workspace may create links; the first is the default. */
  hosts: readonly string[];
  /** Null: read-only. */
  createLink: FormAction<CreatedLink> | null;
  children: ReactNode;
}

interface LinkCreatorState {
  workspace: string;
  /** The user: drafts are separate for each. */
  owner: string;
  /** Opens the form of a new link; null without permission. */
  openCreator: (() => void) | null;
}

const CreatorContext = createContext<LinkCreatorState>({
  workspace: "",
  owner: "",
  openCreator: null,
});

/** Creates links from any page of a workspace. */
export function useLinkCreator() {
  return use(CreatorContext);
}

export function LinkCreator({ workspace, owner, hosts, createLink, children }: LinkCreatorProps) {
  const t = useTranslations("linkForm.creator");
  const [open, setOpen] = useState(false);
  const [created, setCreated] = useState<CreatedLink>();
  const mayCreate = createLink !== null;
  const value = useMemo(() => {
    const openCreator = () => {
      setCreated(undefined);
      setOpen(true);
    };
    return { workspace, owner, openCreator: mayCreate ? openCreator : null };
  }, [workspace, owner, mayCreate]);
  useShortcut("c", () => value.openCreator?.());
  // Another user may have been signed in before, without signing out.
  useEffect(() => deleteDrafts(owner), [owner]);
  return (
    <CreatorContext value={value}>
      {children}
      <Sheet open={open && !created} onOpenChange={setOpen}>
        <SheetContent title={t("createTitle")} className="max-w-xl">
          {createLink ? (
            <CreateForm
              workspace={workspace}
              owner={owner}
              hosts={hosts}
              createLink={createLink}
              onCreated={setCreated}
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

function CreatedLinkView({ link, onAnother }: { link: CreatedLink; onAnother: () => void }) {
  const t = useTranslations("linkForm.creator");
  const name = withoutScheme(link.shortLink);
  return (
    <div className="grid gap-4">
      <CopyField
        label={t("shortLink")}
        text={link.shortLink}
        copy={t("copy")}
        copyLabel={t("copyLink", { link: name })}
        className="font-medium"
      />
      <DialogActions>
        <Button onClick={onAnother}>{t("createAnother")}</Button>
        <DialogClose asChild>
          <Button variant="solid">{t("done")}</Button>
        </DialogClose>
      </DialogActions>
    </div>
  );
}
