"use client";

import { Download, SlidersHorizontal } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "#components/ui/button";
import { ExportMenu } from "#components/ui/export-menu";
import { Popover, PopoverContent, PopoverTrigger } from "#components/ui/popover";
import { Switch } from "#components/ui/switch";
import { SelectField } from "../ui/labeled.tsx";
import { comparisons } from "./board-query.ts";
import { useBoard } from "./board-state.tsx";
import { clicksUrl, exportUrl, useSource } from "./source.tsx";

/** Display options of the board, and its export. */
export function BoardMenu() {
  const t = useTranslations("analytics");
  const { query, daysMax, change, queryFor } = useBoard();
  const source = useSource();
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button aria-label={t("options")}>
          <SlidersHorizontal aria-hidden />
          <span className="hidden sm:inline">{t("options")}</span>
        </Button>
      </PopoverTrigger>
      <PopoverContent aria-label={t("options")} className="grid gap-4">
        {daysMax === null ? (
          <SelectField
            label={t("compare")}
            value={query.compare}
            onValueChange={(value) =>
              change({ compare: comparisons.find((one) => one === value) ?? "previous" })
            }
            options={comparisons.map((one) => ({
              value: one,
              label: t(`comparisons.${one}`),
            }))}
          />
        ) : null}
        <Switch
          label={t("showBots")}
          hint={t("showBotsHint")}
          checked={query.bots}
          onCheckedChange={(bots) => change({ bots })}
        />
        {source.workspace === undefined ? (
          <Button asChild>
            <a download href={exportUrl(source, queryFor("all", { bots: "true" }))}>
              <Download aria-hidden />
              {t("saveAll")}
            </a>
          </Button>
        ) : (
          <>
            <ExportMenu
              label={t("saveAll")}
              formats={["csv", "xlsx"]}
              hrefOf={(format) => exportUrl(source, queryFor("all", { bots: "true", format }))}
            />
            <ExportMenu
              label={t("saveClicks")}
              formats={["csv", "xlsx"]}
              hrefOf={(format) => clicksUrl(source, queryFor("all", { bots: "true" }), format)}
            />
          </>
        )}
      </PopoverContent>
    </Popover>
  );
}
