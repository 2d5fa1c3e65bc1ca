"use client";

import { Plus, Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "#components/ui/button";
import { InputField, SelectField } from "../ui/labeled.tsx";
import type { PartProps } from "./form-fields.tsx";
import { nextId, type PairDraft } from "./link-draft.ts";
import { useRuleOptions } from "./rule-values.ts";

/** One destination per country, the simple alternative to rules. */
export function GeoFields({ draft, change, errorOf }: PartProps) {
  const t = useTranslations("linkForm.geo");
  const { country: options } = useRuleOptions();
  const { geo } = draft;
  const put = (id: number, changes: Partial<PairDraft>) =>
    change({ geo: geo.map((one) => (one.id === id ? { ...one, ...changes } : one)) });
  const free = options.find(({ value }) => !geo.some(({ name }) => name === value));
  return (
    <div className="grid gap-3">
      {geo.map(({ id, name, url }) => (
        <div key={id} className="flex items-start gap-2">
          <SelectField
            label={t("country")}
            error={errorOf(`geo.${name}.country`)}
            outerClass="w-36"
            options={options.filter(
              ({ value }) => value === name || !geo.some((one) => one.name === value),
            )}
            value={name}
            onValueChange={(country) => put(id, { name: country })}
          />
          <InputField
            label={t("url")}
            error={errorOf(`geo.${name}`)}
            outerClass="flex-1"
            inputMode="url"
            autoComplete="off"
            value={url}
            onChange={({ target }) => put(id, { url: target.value })}
          />
          <Button
            variant="ghost"
            size="icon"
            className="mt-7"
            aria-label={t("remove", { country: name })}
            onClick={() => change({ geo: geo.filter((one) => one.id !== id) })}
          >
            <Trash2 aria-hidden />
          </Button>
        </div>
      ))}
      <div>
        <Button
          size="sm"
          disabled={!free}
          onClick={() =>
            change({ geo: [...geo, { id: nextId(geo), name: free?.value ?? "", url: "" }] })
          }
        >
          <Plus aria-hidden />
          {t("add")}
        </Button>
      </div>
    </div>
  );
}
