"use client";

import { Download, SlidersHorizontal } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "../ui/popover.tsx";
import { Switch } from "../ui/switch.tsx";
import { toast } from "../ui/toast.tsx";
import { readRows } from "./answers.ts";
import { type BoardState, useBoard } from "./board-state.tsx";
import { csvOf, saveCsv } from "./csv.ts";
import { type BoardPart, cards, type Grouping } from "./groupings.ts";
import { askSource, type Source, useSource } from "./source.tsx";

/** How the board is shown, and all of it as a file. */
export function BoardMenu({ parts }: { parts: readonly BoardPart[] }) {
  const t = useTranslations("analytics");
  const board = useBoard();
  const source = useSource();
  const [saving, setSaving] = useState(false);
  const { asked, change } = board;

  async function save() {
    setSaving(true);
    try {
      const head = ["grouping", "value", "name", "clicks", "visitors", "bots"];
      saveCsv("fuxi-analytics", csvOf([head, ...(await readAll(board, source, parts))]));
    } catch {
      toast.error(t("notSaved"));
    }
    setSaving(false);
  }

  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button aria-label={t("options")}>
          <SlidersHorizontal aria-hidden />
          <span className="hidden sm:inline">{t("options")}</span>
        </Button>
      </PopoverTrigger>
      <PopoverContent aria-label={t("options")} className="grid gap-4">
        {board.daysMax === null ? (
          <Switch
            label={t("compare")}
            hint={t("compareHint")}
            checked={asked.compare}
            onCheckedChange={(compare) => change({ compare })}
          />
        ) : null}
        <Switch
          label={t("showBots")}
          hint={t("showBotsHint")}
          checked={asked.bots}
          onCheckedChange={(bots) => change({ bots })}
        />
        <Button pending={saving} onClick={save}>
          <Download aria-hidden />
          {t("saveAll")}
        </Button>
      </PopoverContent>
    </Popover>
  );
}

/** Every grouping of the parts, one after the other: a person waits for one file. */
async function readAll(
  { questionFor }: BoardState,
  source: Source,
  parts: readonly BoardPart[],
): Promise<(string | number)[][]> {
  const groupings: readonly Grouping[] = (["top", "sources", "places", "devices"] as const)
    .filter((card) => parts.includes(card))
    .flatMap((card) => [...cards[card]])
    .filter(({ tab }) => tab !== "map");
  const lines: (string | number)[][] = [];
  for (const { groupBy, field } of groupings) {
    const query = new URLSearchParams(questionFor(groupBy, { bots: "true" }));
    for (const row of readRows(await askSource(source, query), field)) {
      lines.push([groupBy, row.value, row.name, row.clicks, row.visitors, row.bots]);
    }
  }
  return lines;
}
