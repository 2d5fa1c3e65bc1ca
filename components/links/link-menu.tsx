import { Archive, ArchiveRestore, CopyPlus, ExternalLink, Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { ShortcutHint } from "#components/shell/shortcut-hint";
import { MenuItem, MenuSeparator } from "#components/ui/menu";
import type { Link } from "#lib/links/fields/schema";

export function VisitItem({ link }: { link: Link }) {
  const t = useTranslations("links");
  return (
    <MenuItem asChild>
      <a href={link.shortLink} target="_blank" rel="noreferrer">
        <ExternalLink aria-hidden />
        {t("open")}
        <ShortcutHint name="visit" />
      </a>
    </MenuItem>
  );
}

export interface ChangeItemsProps {
  link: Link;
  onDuplicate: (() => void) | null;
  onArchive: (() => void) | null;
  onDelete: (() => void) | null;
}

export function ChangeItems({ link, onDuplicate, onArchive, onDelete }: ChangeItemsProps) {
  const common = useTranslations("common");
  const group = useTranslations("linkGroup");
  return (
    <>
      {onDuplicate ? (
        <MenuItem onSelect={onDuplicate}>
          <CopyPlus aria-hidden />
          {group("duplicate")}
          <ShortcutHint name="duplicate" />
        </MenuItem>
      ) : null}
      {onArchive ? (
        <MenuItem onSelect={onArchive}>
          {link.archived ? <ArchiveRestore aria-hidden /> : <Archive aria-hidden />}
          {group(link.archived ? "unarchive" : "archive")}
          <ShortcutHint name="archive" />
        </MenuItem>
      ) : null}
      {onDelete ? (
        <>
          <MenuSeparator />
          <MenuItem danger onSelect={onDelete}>
            <Trash2 aria-hidden />
            {common("delete")}
            <ShortcutHint name="delete" />
          </MenuItem>
        </>
      ) : null}
    </>
  );
}
