"use client";

import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { LockNote, useLocked } from "#components/plans/locked";
import { Button } from "#components/ui/button";
import { Checkbox } from "#components/ui/checkbox";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "#components/ui/menu";
import { fieldsMax } from "#lib/audience/forms/schema";
import { InputField, TextareaField } from "../ui/labeled.tsx";
import { type FieldDraft, fieldTypes, isOnceOnly, newField } from "./form-draft.ts";
import { type WechatDomains, WechatField } from "./wechat-field.tsx";

interface FieldListProps {
  fields: readonly FieldDraft[];
  onFields: (fields: FieldDraft[]) => void;
  error: string | undefined;
  wechat: WechatDomains;
}

export function FieldList({ fields, onFields, error, wechat }: FieldListProps) {
  const t = useTranslations("forms");
  const replace = (at: number, changes: Partial<FieldDraft>) =>
    onFields(fields.map((field, place) => (place === at ? { ...field, ...changes } : field)));
  const swap = (at: number) => {
    const moved = [...fields];
    moved.splice(at, 2, ...fields.slice(at, at + 2).reverse());
    onFields(moved);
  };
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-medium text-sm">{t("fields")}</legend>
      <ol className="grid gap-2">
        {fields.map((field, at) => (
          <FieldItem
            key={field.id}
            field={field}
            number={at + 1}
            wechat={wechat}
            change={(changes) => replace(at, changes)}
            onUp={at === 0 ? undefined : () => swap(at - 1)}
            onDown={at === fields.length - 1 ? undefined : () => swap(at)}
            onRemove={() => onFields(fields.filter((_, place) => place !== at))}
          />
        ))}
      </ol>
      {error ? <p className="text-danger text-sm">{error}</p> : null}
      {fields.length < fieldsMax ? <AddField fields={fields} onFields={onFields} /> : null}
    </fieldset>
  );
}

function AddField({ fields, onFields }: Pick<FieldListProps, "fields" | "onFields">) {
  const t = useTranslations("forms");
  const isLocked = useLocked("wechatUserInfo");
  const used = new Set(fields.map(({ type }) => type));
  const nextId = Math.max(-1, ...fields.map(({ id }) => id)) + 1;
  return (
    <>
      <Menu>
        <MenuTrigger asChild>
          <Button className="justify-self-start">
            <Plus aria-hidden />
            {t("addField")}
          </Button>
        </MenuTrigger>
        <MenuContent align="start">
          {fieldTypes
            .filter((type) => !(isOnceOnly(type) && used.has(type)))
            .map((type) => (
              <MenuItem
                key={type}
                disabled={type === "wechat" && isLocked}
                onSelect={() => onFields([...fields, newField(type, nextId)])}
              >
                {t(`types.${type}`)}
              </MenuItem>
            ))}
        </MenuContent>
      </Menu>
      {isLocked ? (
        <p className="text-ink-muted text-sm">
          {t("types.wechat")}: <LockNote />
        </p>
      ) : null}
    </>
  );
}

interface FieldItemProps {
  field: FieldDraft;
  number: number;
  wechat: WechatDomains;
  change: (changes: Partial<FieldDraft>) => void;
  onUp: (() => void) | undefined;
  onDown: (() => void) | undefined;
  onRemove: () => void;
}

function FieldItem({ field, number, wechat, change, onUp, onDown, onRemove }: FieldItemProps) {
  const t = useTranslations("forms");
  const { type, required, label, options, url } = field;
  return (
    <li className="grid gap-3 rounded-md border border-line p-3">
      <div className="flex items-center gap-1">
        <span className="mr-auto font-medium text-sm">{t(`types.${type}`)}</span>
        <Button size="icon" variant="ghost" disabled={!onUp} onClick={onUp}>
          <ArrowUp aria-hidden />
          <span className="sr-only">{t("moveUp", { number })}</span>
        </Button>
        <Button size="icon" variant="ghost" disabled={!onDown} onClick={onDown}>
          <ArrowDown aria-hidden />
          <span className="sr-only">{t("moveDown", { number })}</span>
        </Button>
        <Button size="icon" variant="ghost" onClick={onRemove}>
          <Trash2 aria-hidden />
          <span className="sr-only">{t("removeField", { number })}</span>
        </Button>
      </div>
      {type === "choice" || type === "check" ? (
        <InputField
          label={t(`labels.${type}`)}
          autoComplete="off"
          value={label}
          onChange={({ target }) => change({ label: target.value })}
        />
      ) : null}
      {type === "choice" ? (
        <TextareaField
          label={t("options")}
          hint={t("optionsHint")}
          value={options}
          onChange={({ target }) => change({ options: target.value })}
        />
      ) : null}
      {type === "check" ? (
        <InputField
          label={t("checkUrl")}
          hint={t("checkUrlHint")}
          inputMode="url"
          autoComplete="off"
          value={url}
          onChange={({ target }) => change({ url: target.value })}
        />
      ) : null}
      {type === "wechat" ? (
        <WechatField profile={field.profile} change={change} wechat={wechat} />
      ) : (
        <Checkbox
          label={t("required")}
          checked={required}
          onCheckedChange={(checked) => change({ required: checked === true })}
        />
      )}
    </li>
  );
}
