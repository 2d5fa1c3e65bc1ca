"use client";

import { Plus, Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "#components/ui/button";
import { InputField } from "../ui/labeled.tsx";
import { CollapsiblePart, type Controls, type PartProps } from "./form-fields.tsx";
import { isDestination, type LinkDraft, nextId, type PairDraft } from "./link-draft.ts";
import { TimeField, ZoneNote } from "./time-field.tsx";

const variantsMin = 2;
const variantsMax = 10;

export function TestPart(part: PartProps) {
  const { draft, errorOf } = part;
  const t = useTranslations("linkForm.test");
  const variants = draft.variants.length > 0 ? draft.variants : firstVariants(draft);
  // A new test starts with two variants.
  const change: PartProps["change"] = (changes) =>
    part.change(
      changes.open?.includes("test") && draft.variants.length === 0
        ? { ...changes, variants }
        : changes,
    );
  const put = (id: number, changes: Partial<PairDraft>) =>
    change({ variants: variants.map((one) => (one.id === id ? { ...one, ...changes } : one)) });
  const sum = variants.reduce((total, { name }) => total + (Number(name) || 0), 0);
  return (
    <CollapsiblePart
      {...part}
      change={change}
      part="test"
      capability="abTests"
      label={t("label")}
      hint={t("hint")}
    >
      <p className="text-ink-muted text-sm">{t("utm")}</p>
      <ol className="grid gap-3">
        {variants.map((variant, at) => (
          <VariantRow
            key={variant.id}
            {...part}
            at={at}
            variant={variant}
            put={(changes) => put(variant.id, changes)}
            remove={
              variants.length > variantsMin && !isDestination(draft, at)
                ? () => change({ variants: variants.filter(({ id }) => id !== variant.id) })
                : undefined
            }
          />
        ))}
      </ol>
      <div className="flex flex-wrap items-center gap-3">
        <Button
          size="sm"
          disabled={variants.length >= variantsMax}
          onClick={() =>
            change({ variants: [...variants, { id: nextId(variants), name: "", url: "" }] })
          }
        >
          <Plus aria-hidden />
          {t("add")}
        </Button>
        <p
          role="status"
          className={Math.abs(sum - 100) < 1e-9 ? "text-ink-muted text-sm" : "text-danger text-sm"}
        >
          {errorOf("testVariants") ?? t("sum", { sum })}
        </p>
      </div>
      <TestTimes {...part} />
      <ZoneNote zone={part.draft.zone} />
    </CollapsiblePart>
  );
}

function TestTimes(part: PartProps) {
  const t = useTranslations("linkForm.test");
  const controls: Controls<"test"> = {
    testStartedAt: (
      <TimeField
        {...part}
        name="testStartedAt"
        label={t("startedAt")}
        presets={["tomorrow", "week"]}
        time="00:00"
      />
    ),
    testCompletedAt: (
      <TimeField
        {...part}
        name="testCompletedAt"
        label={t("completedAt")}
        presets={["week", "month"]}
        time="23:59"
      />
    ),
  };
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {controls.testStartedAt}
      {controls.testCompletedAt}
    </div>
  );
}

interface VariantRowProps extends PartProps {
  at: number;
  variant: PairDraft;
  put: (changes: Partial<PairDraft>) => void;
  remove: (() => void) | undefined;
}

function VariantRow({ draft, errorOf, at, variant, put, remove }: VariantRowProps) {
  const t = useTranslations("linkForm.test");
  const isFixed = isDestination(draft, at);
  return (
    <li className="flex items-start gap-2">
      <InputField
        label={t("variant", { number: at + 1 })}
        hint={isFixed ? t("isDestination") : undefined}
        error={errorOf(`testVariants.${at}.url`)}
        outerClass="flex-1"
        inputMode="url"
        autoComplete="off"
        readOnly={isFixed}
        className="read-only:text-ink-muted"
        value={variant.url}
        onChange={({ target }) => put({ url: target.value })}
      />
      <InputField
        label={t("percentage")}
        error={errorOf(`testVariants.${at}.percentage`)}
        outerClass="w-20"
        inputMode="decimal"
        autoComplete="off"
        aria-label={t("percentageOf", { number: at + 1 })}
        value={variant.name}
        onChange={({ target }) => put({ name: target.value })}
      />
      <Button
        variant="ghost"
        size="icon"
        className="mt-7"
        disabled={!remove}
        aria-label={t("remove", { number: at + 1 })}
        onClick={remove}
      >
        <Trash2 aria-hidden />
      </Button>
    </li>
  );
}

function firstVariants({ url }: LinkDraft): PairDraft[] {
  return [
    { id: 0, name: "50", url },
    { id: 1, name: "50", url: "" },
  ];
}
