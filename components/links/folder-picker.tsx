"use client";

import { useTranslations } from "next-intl";
import { Dialog, DialogContent } from "#components/ui/dialog";
import type { Link } from "#lib/links/fields/schema";
import { noFolder } from "#lib/links/reading/schema";
import { NamePicker } from "./name-picker.tsx";
import { markAmong, withoutScheme } from "./names.ts";
import { readFolders } from "./tags-and-folders.ts";

interface FolderPickerProps {
  workspace: string;
  links: readonly Link[];
  onMove: (folderId: string | null) => void;
}

/** Chooses the folder to which links move. */
export function FolderPicker({ workspace, links, onMove }: FolderPickerProps) {
  const t = useTranslations("selection");
  return (
    <NamePicker
      label={t("searchFolders")}
      read={(search) => readFolders(workspace, search)}
      first={{ id: noFolder, name: t("noFolder") }}
      markOf={(id) => markAmong(links, (link) => (link.folderId ?? noFolder) === id)}
      onPick={({ id }) => onMove(id === noFolder ? null : id)}
    />
  );
}

interface MoveDialogProps extends Omit<FolderPickerProps, "links"> {
  link: Link;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function MoveDialog({ workspace, link, open, onOpenChange, onMove }: MoveDialogProps) {
  const t = useTranslations("selection");
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        title={t("moveOne")}
        description={<span className="break-all">{withoutScheme(link.shortLink)}</span>}
      >
        <FolderPicker
          workspace={workspace}
          links={[link]}
          onMove={(folderId) => {
            onOpenChange(false);
            onMove(folderId);
          }}
        />
      </DialogContent>
    </Dialog>
  );
}
