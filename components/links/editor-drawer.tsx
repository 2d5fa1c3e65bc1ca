import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { FormAction } from "#components/forms/form";
import { Dialog, DialogContent } from "#components/ui/dialog";
import { toast } from "#components/ui/toast";
import type { Link } from "#lib/links/fields/schema";
import { withoutScheme } from "./names.ts";

export interface LinkEditorProps {
  link: Link;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  editLink: FormAction<{ shortLink: string }>;
}

interface EditorDrawerProps extends Omit<LinkEditorProps, "editLink"> {
  title: string;
  className?: string;
  children: (onSaved: (shortLink: string) => void) => ReactNode;
}

/** A drawer that edits a link. It closes, and says so, when the link is saved. */
export function EditorDrawer(props: EditorDrawerProps) {
  const { link, open, onOpenChange, children, ...content } = props;
  const t = useTranslations("linkForm");
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        side="right"
        description={<span className="break-all">{withoutScheme(link.shortLink)}</span>}
        {...content}
      >
        {children((shortLink) => {
          onOpenChange(false);
          toast.success(t("saved", { link: withoutScheme(shortLink) }));
        })}
      </DialogContent>
    </Dialog>
  );
}
