import { useTranslations } from "next-intl";
import { type ReactNode, startTransition } from "react";
import { type FormAction, type FormAnswer, useAction } from "#components/forms/form";
import { CopyButton } from "#components/ui/copy-button";
import { Dialog, DialogContent } from "#components/ui/dialog";
import { toast } from "#components/ui/toast";
import { offerUndo } from "#components/ui/undo.ts";
import type { Link } from "#lib/links/fields/schema";
import { type RestoredLinkState, useLeftOut } from "./link-history.tsx";
import { withoutScheme } from "./names.ts";

export type SavedLink = Pick<Link, "id" | "shortLink" | "updatedAt">;

export interface LinkEdits {
  save: FormAction<SavedLink>;
  undo: (id: string, savedAt: string) => Promise<FormAnswer<RestoredLinkState>>;
}

export interface LinkEditorProps {
  link: Link;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  edits: LinkEdits;
}

interface EditorDrawerProps extends LinkEditorProps {
  title: string;
  className?: string;
  children: (onSaved: (saved: SavedLink) => void) => ReactNode;
}

/** A drawer that edits a link. It closes when the link is saved, and a notice offers to copy the link and to undo the edit. */
export function EditorDrawer(props: EditorDrawerProps) {
  const { link, open, onOpenChange, edits, children, ...content } = props;
  const tellSaved = useSavedNotice(edits);
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        side="right"
        description={<span className="break-all">{withoutScheme(link.shortLink)}</span>}
        {...content}
      >
        {children((saved) => {
          onOpenChange(false);
          tellSaved(saved, link);
        })}
      </DialogContent>
    </Dialog>
  );
}

function useSavedNotice(edits: LinkEdits) {
  const t = useTranslations("linkForm");
  const history = useTranslations("history");
  const common = useTranslations("common");
  const runAction = useAction();
  const leftOut = useLeftOut();
  const undo = ({ id, updatedAt }: SavedLink) =>
    startTransition(async () => {
      const undone = await runAction(() => edits.undo(id, updatedAt), history("notRestored"));
      if (undone) toast.success(t("undone"), { description: leftOut(undone.done) });
    });
  return (saved: SavedLink, before: Link) => {
    const link = withoutScheme(saved.shortLink);
    const message = t("saved", { link });
    if (saved.updatedAt === before.updatedAt) return void toast.success(message);
    offerUndo({
      message,
      description: (
        <CopyButton
          text={saved.shortLink}
          label={t("creator.copyLink", { link })}
          size="sm"
          className="mt-2"
        >
          {t("creator.copy")}
        </CopyButton>
      ),
      label: common("undo"),
      undo: () => undo(saved),
    });
  };
}
