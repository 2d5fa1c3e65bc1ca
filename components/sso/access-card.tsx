import { Plus, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { type FormAction, useForm } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { FormSubmit } from "#components/ui/dialog";
import { FormError } from "#components/ui/form-error";
import { Input } from "#components/ui/input";
import { SelectField } from "#components/ui/labeled";
import { Select } from "#components/ui/select";
import { Switch } from "#components/ui/switch";
import { toast } from "#components/ui/toast";
import {
  type AccessBody,
  defaultRoles,
  type GroupEntry,
  groupRoles,
  groupsMax,
} from "#lib/identity/sso-providers/schema";

interface AccessCardProps {
  access: AccessBody;
  save: FormAction<null>;
}

/** Who gets in, and in which role. */
export function AccessCard({ access, save }: AccessCardProps) {
  const t = useTranslations("sso");
  const { form, pending, error, errorOf, field } = useForm(save, () =>
    toast.success(t("accessSaved")),
  );
  return (
    <Card heading={t("access")} note={t("accessNote")}>
      <form {...form} className="grid gap-5">
        <FormError>{error ?? errorOf("groupRoles")}</FormError>
        <Switch
          name="required"
          label={t("required")}
          hint={t("requiredHint")}
          defaultChecked={access.required}
        />
        <Switch
          name="joins"
          label={t("joins")}
          hint={t("joinsHint")}
          defaultChecked={access.joins}
        />
        <Switch
          name="pausesKeys"
          label={t("pausesKeys")}
          hint={t("pausesKeysHint")}
          defaultChecked={access.pausesKeys}
        />
        <SelectField
          {...field("defaultRole", access.defaultRole)}
          label={t("defaultRole")}
          hint={t("defaultRoleHint")}
          options={defaultRoles.map((value) => ({ value, label: t(`roles.${value}`) }))}
        />
        <Groups initial={access.groupRoles} />
        <FormSubmit pending={pending}>{t("saveAccess")}</FormSubmit>
      </form>
    </Card>
  );
}

/** The fields of a row have the number of the row in their names. */
function Groups({ initial }: { initial: readonly GroupEntry[] }) {
  const t = useTranslations("sso");
  const [rows, setRows] = useState(() => initial.map((entry, key) => ({ ...entry, key })));
  const add = () => {
    const key = Math.max(-1, ...rows.map((row) => row.key)) + 1;
    setRows([...rows, { key, group: "", role: "member" }]);
  };
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 font-medium text-sm">{t("groups")}</legend>
      <p className="text-ink-muted text-sm">{t("groupsHint")}</p>
      {rows.map(({ key, group, role }, at) => (
        <div key={key} className="flex flex-wrap items-center gap-2">
          <Input
            name={`group${key}`}
            aria-label={t("group", { number: at + 1 })}
            defaultValue={group}
            autoComplete="off"
            spellCheck={false}
            className="min-w-40 flex-1"
          />
          <Select
            name={`role${key}`}
            aria-label={t("groupRole", { number: at + 1 })}
            defaultValue={role}
            options={groupRoles.map((value) => ({ value, label: t(`roles.${value}`) }))}
            className="w-32"
          />
          <Button
            variant="ghost"
            size="icon"
            aria-label={t("removeGroup", { number: at + 1 })}
            onClick={() => setRows(rows.filter((row) => row.key !== key))}
          >
            <X aria-hidden />
          </Button>
        </div>
      ))}
      {rows.length < groupsMax ? (
        <Button size="sm" className="justify-self-start" onClick={add}>
          <Plus aria-hidden />
          {t("addGroup")}
        </Button>
      ) : null}
    </fieldset>
  );
}
