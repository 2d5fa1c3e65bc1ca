"use client";

import { Ellipsis, Save, Star, Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { Button } from "#components/ui/button";
import { Dialog, DialogActions, DialogContent } from "#components/ui/dialog";
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from "#components/ui/menu";
import { Switch } from "#components/ui/switch";
import { toast } from "#components/ui/toast";
import { offerUndo } from "#components/ui/undo.ts";
import type { QrDesign } from "#lib/links/qr-design/schema";
import type { Template } from "#lib/outreach/qr-templates/schema";
import { InputField, SelectField } from "../ui/labeled.tsx";
import { ApiError, removeTemplate, saveTemplate, type TemplateBody } from "./qr-calls.ts";

export const plainTemplate = "plain";
export const ownDesign = "own";

interface TemplateBarProps {
  workspace: string;
  templates: readonly Template[];
  chosen: string;
  hasOwn: boolean;
  design: QrDesign;
  mayWrite: boolean;
  onChoose: (id: string) => void;
  onTemplates: (templates: Template[]) => void;
}

export function TemplateBar(props: TemplateBarProps) {
  const { workspace, templates, chosen, design, mayWrite, onChoose, onTemplates } = props;
  const t = useTranslations("qr");
  const common = useTranslations("common");
  const [naming, setNaming] = useState(false);
  const current = templates.find(({ id }) => id === chosen);

  function put(saved: Template) {
    const others = templates
      .filter(({ id }) => id !== saved.id)
      .map((one) => (saved.isDefault ? { ...one, isDefault: false } : one));
    onTemplates([...others, saved]);
  }

  async function save(id: string | undefined, body: TemplateBody): Promise<boolean> {
    try {
      const saved = await saveTemplate(workspace, id, body);
      put(saved);
      if (!id) onChoose(saved.id);
      toast.success(t("templateSaved", { name: saved.name }));
      return true;
    } catch (problem) {
      const full = problem instanceof ApiError && problem.status === 403;
      toast.error(t(full ? "templatesFull" : "templateNotSaved"));
      return false;
    }
  }

  async function remove({ id, name, isDefault, design: removed }: Template) {
    try {
      await removeTemplate(workspace, id);
      onTemplates(templates.filter((one) => one.id !== id));
      onChoose(plainTemplate);
      offerUndo({
        message: t("templateDeleted", { name }),
        label: common("undo"),
        undo: () => void save(undefined, { name, isDefault, design: removed }),
      });
    } catch {
      toast.error(t("templateNotDeleted", { name }));
    }
  }

  const nameOf = ({ name, isDefault }: Template) => (isDefault ? t("defaultName", { name }) : name);
  return (
    <div className="flex flex-wrap items-end gap-2">
      <SelectField
        label={t("template")}
        outerClass="min-w-48 flex-1"
        value={chosen}
        onValueChange={onChoose}
        options={[
          ...(props.hasOwn ? [{ value: ownDesign, label: t("ownDesign") }] : []),
          { value: plainTemplate, label: t("plain") },
          ...templates.map((one) => ({ value: one.id, label: nameOf(one) })),
        ]}
      />
      {mayWrite ? (
        <Button className="h-9 pointer-coarse:h-11" onClick={() => setNaming(true)}>
          <Save aria-hidden />
          {t("saveAs")}
        </Button>
      ) : null}
      {mayWrite && current ? (
        <Menu>
          <MenuTrigger asChild>
            <Button
              variant="ghost"
              size="icon"
              aria-label={t("templateMore")}
              className="size-9 pointer-coarse:size-11"
            >
              <Ellipsis aria-hidden />
            </Button>
          </MenuTrigger>
          <MenuContent align="end">
            <MenuItem onSelect={() => void save(current.id, { design })}>
              <Save aria-hidden />
              {t("update", { name: current.name })}
            </MenuItem>
            <MenuItem onSelect={() => void save(current.id, { isDefault: !current.isDefault })}>
              <Star aria-hidden />
              {t(current.isDefault ? "dropDefault" : "makeDefault")}
            </MenuItem>
            <MenuSeparator />
            <MenuItem danger onSelect={() => void remove(current)}>
              <Trash2 aria-hidden />
              {t("deleteTemplate")}
            </MenuItem>
          </MenuContent>
        </Menu>
      ) : null}
      <NameDialog
        open={naming}
        onOpenChange={setNaming}
        onSave={(name, isDefault) => save(undefined, { name, isDefault, design })}
      />
    </div>
  );
}

interface NameDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onSave: (name: string, isDefault: boolean) => Promise<boolean>;
}

function NameDialog({ open, onOpenChange, onSave }: NameDialogProps) {
  const t = useTranslations("qr");
  const [pending, setPending] = useState(false);
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    setPending(true);
    const saved = await onSave(String(data.get("name")), data.get("isDefault") === "on");
    setPending(false);
    if (saved) onOpenChange(false);
  }
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent side="right" title={t("saveTitle")} description={t("saveText")}>
        <form onSubmit={submit} className="grid gap-4">
          <InputField
            label={t("templateName")}
            name="name"
            required
            maxLength={50}
            autoComplete="off"
          />
          <Switch name="isDefault" label={t("asDefault")} hint={t("asDefaultHint")} />
          <DialogActions>
            <Button type="submit" variant="solid" pending={pending}>
              {t("save")}
            </Button>
          </DialogActions>
        </form>
      </DialogContent>
    </Dialog>
  );
}
