"use client";

import { Plus, Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { useRef } from "react";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { FormError } from "#components/ui/form-error";
import { parseMessage } from "#lib/outreach/messages";
import { InputField } from "../ui/labeled.tsx";
import {
  type CampaignPartProps,
  columnNames,
  missingColumns,
  nextOf,
  type VariantDraft,
} from "./campaign-draft.ts";
import { PlaceholderField } from "./placeholder-field.tsx";
import { useTemplateProblem } from "./template-problem.ts";

const variantsMax = 5;
const wholePercent = 100;

export function MessagePart(props: CampaignPartProps) {
  const { draft, change, errorOf } = props;
  const t = useTranslations("campaignForm");
  const { variants } = draft;
  const put = (id: number, changes: Partial<VariantDraft>) =>
    change({ variants: variants.map((one) => (one.id === id ? { ...one, ...changes } : one)) });
  return (
    <Card heading={t("message")} note={t("messageNote")}>
      {variants.map((variant, at) => (
        <VariantFields
          {...props}
          key={variant.id}
          at={at}
          variant={variant}
          onChange={(changes) => put(variant.id, changes)}
        />
      ))}
      <FormError>{errorOf("variants")}</FormError>
      {variants.length < variantsMax ? (
        <Button
          className="justify-self-start"
          onClick={() => change({ variants: withVariant(variants) })}
        >
          <Plus aria-hidden />
          {variants.length === 1 ? t("startTest") : t("addVariant")}
        </Button>
      ) : null}
    </Card>
  );
}

function withVariant(variants: readonly VariantDraft[]): VariantDraft[] {
  const id = nextOf(variants);
  const name = String.fromCharCode("A".charCodeAt(0) + id);
  const template = variants.at(-1)?.template ?? "";
  return evenly([...variants, { id, name, template, percentage: "" }]);
}

function evenly(variants: readonly VariantDraft[]): VariantDraft[] {
  const each = Math.floor(wholePercent / variants.length);
  const rest = wholePercent - each * variants.length;
  return variants.map((one, at) => ({ ...one, percentage: String(each + (at < rest ? 1 : 0)) }));
}

interface VariantFieldsProps extends CampaignPartProps {
  at: number;
  variant: VariantDraft;
  onChange: (changes: Partial<VariantDraft>) => void;
}

function VariantFields(props: VariantFieldsProps) {
  const { draft, change, errorOf, at, variant, onChange } = props;
  const t = useTranslations("campaignForm");
  const { variants } = draft;
  if (variants.length === 1) return <TemplateField {...props} name="template" />;
  return (
    <fieldset className="grid gap-3 rounded-lg border border-line p-3">
      <legend className="sr-only">{t("variantOf", { name: variant.name })}</legend>
      <div className="flex items-start gap-2">
        <InputField
          label={t("variantName")}
          error={errorOf(`variants.${at}.name`)}
          outerClass="flex-1"
          autoComplete="off"
          value={variant.name}
          onChange={({ target }) => onChange({ name: target.value })}
        />
        <InputField
          label={t("percentage")}
          error={errorOf(`variants.${at}.percentage`)}
          outerClass="w-28"
          inputMode="numeric"
          autoComplete="off"
          value={variant.percentage}
          onChange={({ target }) => onChange({ percentage: target.value })}
        />
        <Button
          variant="ghost"
          size="icon"
          className="mt-7"
          aria-label={t("removeVariant", { name: variant.name })}
          onClick={() =>
            change({ variants: evenly(variants.filter(({ id }) => id !== variant.id)) })
          }
        >
          <Trash2 aria-hidden />
        </Button>
      </div>
      <TemplateField {...props} name={`variants.${at}.template`} />
    </fieldset>
  );
}

function TemplateField({
  draft,
  variant,
  errorOf,
  name,
  onChange,
}: VariantFieldsProps & { name: string }) {
  const t = useTranslations("campaignForm");
  const sayProblem = useTemplateProblem();
  const box = useRef<HTMLTextAreaElement>(null);
  const names = columnNames(draft);
  const parsed = parseMessage(variant.template, [...names, ...missingColumns(draft)]);
  function insert(placeholder: string) {
    const { template } = variant;
    const start = box.current?.selectionStart ?? template.length;
    const end = box.current?.selectionEnd ?? template.length;
    onChange({ template: template.slice(0, start) + placeholder + template.slice(end) });
    box.current?.focus();
  }
  return (
    <div className="grid gap-2">
      <PlaceholderField
        label={t("template")}
        hint={t("templateHint")}
        error={parsed.ok ? errorOf(name) : sayProblem(parsed)}
        ref={box}
        rows={4}
        className="min-h-24"
        value={variant.template}
        onChange={({ target }) => onChange({ template: target.value })}
      />
      <div className="flex flex-wrap gap-1.5">
        {["link", ...names, "optout"].map((one) => (
          <Button
            key={one}
            size="sm"
            aria-label={t("insert", { name: one, variant: variant.name })}
            onClick={() => insert(`{${one}}`)}
          >
            {`{${one}}`}
          </Button>
        ))}
      </div>
    </div>
  );
}
