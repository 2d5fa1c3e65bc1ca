"use client";

import { useTranslations } from "next-intl";
import { PeriodFields } from "#components/shell/period-fields";
import { everything, useUrlFilters } from "#components/shell/url-filters";
import { ExportMenu } from "#components/ui/export-menu";
import { Spinner } from "#components/ui/spinner";
import { SelectField } from "../ui/labeled.tsx";
import { nouns } from "./actions.ts";

interface AuditFiltersProps {
  actors: readonly { id: string; name: string; kind: "person" | "key" }[];
  exportHref: string;
}

export function AuditFilters({ actors, exportHref }: AuditFiltersProps) {
  const t = useTranslations("audit");
  const { params, pending, set, select } = useUrlFilters();
  const actor = params.get("actor") ?? "";
  const known = actors.some(({ id }) => id === actor) || actor === "" || actor === "system";
  return (
    <search className="mb-5 grid grid-cols-2 items-end gap-3 lg:grid-cols-[1.2fr_1fr_auto_auto_auto]">
      <SelectField
        label={t("actor")}
        {...select("actor")}
        options={[
          { value: everything, label: t("everyone") },
          ...actors.map(({ id, name, kind }) => ({
            value: id,
            label: kind === "key" ? t("keyNamed", { name }) : name,
          })),
          { value: "system", label: t("system") },
          ...(known
            ? []
            : [
                { value: actor, label: t(actor.startsWith("key_") ? "formerKey" : "formerPerson") },
              ]),
        ]}
      />
      <SelectField
        label={t("about")}
        {...select("about")}
        options={[
          { value: everything, label: t("anything") },
          ...nouns.map((noun) => ({ value: noun, label: t(`kinds.${noun}`) })),
          { value: "operator", label: t("kinds.operator") },
        ]}
      />
      <PeriodFields labels={{ from: t("from"), to: t("to") }} filters={{ params, set }} />
      <ExportMenu
        label={t("export")}
        icon={pending ? <Spinner /> : undefined}
        className="col-span-2 h-9 lg:col-span-1 pointer-coarse:h-11"
        formats={["csv", "xlsx", "jsonl"]}
        hrefOf={(format) => `${exportHref}&format=${format}`}
      />
      <span role="status" className="sr-only">
        {pending ? t("loading") : ""}
      </span>
    </search>
  );
}
