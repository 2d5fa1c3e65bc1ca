"use client";

import { useTranslations } from "next-intl";
import { Dialog, DialogContent } from "#components/ui/dialog";
import { Kbd } from "#components/ui/kbd";
import { Switch } from "#components/ui/switch";
import { shortcutGroups, shortcutsOf } from "./shortcut-keys.ts";
import { useCommandKeyName, useSingleKeys } from "./shortcuts.tsx";

interface ShortcutsDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function ShortcutsDialog({ open, onOpenChange }: ShortcutsDialogProps) {
  const t = useTranslations("shortcuts");
  const [singleKeys, setSingleKeys] = useSingleKeys();
  const command = useCommandKeyName();
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title={t("title")}>
        <div className="grid gap-5">
          {shortcutGroups.map((group) => (
            <section key={group} aria-labelledby={`shortcuts-${group}`}>
              <h3 id={`shortcuts-${group}`} className="font-medium text-sm">
                {t(`groups.${group}`)}
              </h3>
              <dl className="mt-1 grid">
                {shortcutsOf(group, command).map(({ name, keys }) => (
                  <div
                    key={name}
                    className="flex min-h-8 items-center justify-between gap-3 border-line border-b text-sm last:border-b-0"
                  >
                    <dt>{t(name)}</dt>
                    <dd className="flex gap-1">
                      {keys.map((key) => (
                        <Kbd key={key}>{key}</Kbd>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
        <p className="mt-4 text-ink-muted text-sm">{t("others", { key: `${command} K` })}</p>
        <div className="mt-4 rounded-lg bg-hover p-3">
          <Switch
            label={t("enabled")}
            hint={t("enabledHint", { key: `${command} K` })}
            checked={singleKeys}
            onCheckedChange={setSingleKeys}
          />
        </div>
      </DialogContent>
    </Dialog>
  );
}
