"use client";

import { useFormatter, useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { runAction } from "#components/forms/form";
import { SelectField } from "../ui/labeled.tsx";
import { useLinkCreator } from "./creator-context.ts";
import type { PartProps } from "./form-fields.tsx";
import { TimeField } from "./time-field.tsx";

/** The value of the select for following the workspace. */
const followed = "default";
const choices = [followed, "never", "date"] as const;

/** When the link retires, with what the rules of its workspace would do. */
export function RetirementFields({ linkId, ...part }: PartProps & { linkId: string }) {
  const { draft, change, errorOf } = part;
  const t = useTranslations("linkForm.retirement");
  const byRule = useDefaultText(linkId, draft.zone);
  const isDate = draft.retirement === "date";
  return (
    <div className="grid items-start gap-3 sm:grid-cols-2">
      <SelectField
        label={t("label")}
        hint={byRule}
        error={isDate ? undefined : errorOf("retiresAt")}
        options={choices.map((value) => ({ value, label: t(`choices.${value}`) }))}
        value={draft.retirement || followed}
        onValueChange={(value) =>
          change({ retirement: value === "never" || value === "date" ? value : "" })
        }
      />
      {isDate ? (
        <TimeField
          {...part}
          name="retiresAt"
          label={t("retiresAt")}
          presets={["month", "monthEnd"]}
          time="23:59"
        />
      ) : null}
    </div>
  );
}

/** What the workspace does by default; undefined until it is known. The fields work without it. */
function useDefaultText(linkId: string, zone: string): string | undefined {
  const t = useTranslations("linkForm.retirement");
  const format = useFormatter();
  const { readRetirementDefault } = useLinkCreator();
  const [known, setKnown] = useState<{ retiresAt: string | null; movesWithVisits: boolean }>();
  useEffect(() => {
    let isShown = true;
    if (!readRetirementDefault) return;
    void runAction(() => readRetirementDefault(linkId)).then((answer) => {
      if (isShown && answer.ok) setKnown(answer.done);
    });
    return () => {
      isShown = false;
    };
  }, [linkId, readRetirementDefault]);
  if (!known) return undefined;
  if (known.retiresAt === null) return t("byRuleNever");
  const date = format.dateTime(new Date(known.retiresAt), { dateStyle: "medium", timeZone: zone });
  return t(known.movesWithVisits ? "byRuleUnlessVisited" : "byRule", { date });
}
