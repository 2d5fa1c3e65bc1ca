"use client";

import { useTranslations } from "next-intl";
import { Dialog, DialogContent } from "../ui/dialog.tsx";
import { Kbd } from "../ui/kbd.tsx";
import { Switch } from "../ui/switch.tsx";
import { useCommandKeyName, useSingleKeys } from "./shortcuts.tsx";

const singleKeyRows = [
  ["create", ["c"]],
  ["search", ["/"]],
  ["next", ["j"]],
  ["previous", ["k"]],
  ["edit", ["e"]],
  ["select", ["x"]],
  ["code", ["q"]],
  ["list", ["?"]],
] as const;

interface ShortcutsDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function ShortcutsDialog({ open, onOpenChange }: ShortcutsDialogProps) {
  const t = useTranslations("shortcuts");
  const [singleKeys, setSingleKeys] = useSingleKeys();
  const command = useCommandKeyName();
  const rows = [["palette", [command, "K"]], ["undo", [command, "Z"]], ...singleKeyRows] as const;
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title={t("title")}>
        <dl className="grid">
          {rows.map(([name, keys]) => (
            <div
              key={name}
              className="flex h-9 items-center justify-between border-line border-b text-sm last:border-b-0"
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
