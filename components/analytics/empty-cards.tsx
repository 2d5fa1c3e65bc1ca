"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import { Button } from "#components/ui/button";
import type { CardName } from "./groupings.ts";

export type FoldedCard = CardName | "hours" | "conversions";

/** Whether a card is folded into the line of cards without data. */
export interface FoldState {
  folded: boolean;
  onEmpty: (empty: boolean) => void;
}

/** Reports whether a card has nothing to show. A folded card stays mounted to notice when that changes. */
export function useEmpty(empty: boolean, onEmpty: FoldState["onEmpty"] | undefined): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the card reports changes, not every render
  useEffect(() => onEmpty?.(empty), [empty]);
}

/** Cards without data share one line, from which each can be opened. */
export function EmptyCards({
  children,
}: {
  children: (foldOf: (card: FoldedCard) => FoldState) => ReactNode;
}) {
  const t = useTranslations("analytics");
  const [empty, setEmpty] = useState<readonly FoldedCard[]>([]);
  const [opened, setOpened] = useState<readonly FoldedCard[]>([]);
  const folded = empty.filter((card) => !opened.includes(card));
  const foldOf = (card: FoldedCard): FoldState => ({
    folded: folded.includes(card),
    onEmpty: (isEmpty) => {
      setEmpty((before) => [...before.filter((one) => one !== card), ...(isEmpty ? [card] : [])]);
      // When a card has data, forget that it was opened, so that it folds again when it is empty.
      if (!isEmpty) setOpened((before) => before.filter((one) => one !== card));
    },
  });
  return (
    <>
      {children(foldOf)}
      {folded.length > 0 ? (
        <section
          aria-label={t("emptyCards")}
          className="flex flex-wrap items-center gap-x-1 gap-y-1 rounded-xl border border-line bg-surface px-4 py-2 text-ink-muted text-sm"
        >
          <span className="mr-2">{t("emptyCards")}</span>
          {folded.map((card) => (
            <Button
              key={card}
              variant="ghost"
              size="sm"
              aria-label={t("openCard", { card: t(`cards.${card}`) })}
              onClick={() => setOpened((before) => [...before, card])}
            >
              {t(`cards.${card}`)}
            </Button>
          ))}
        </section>
      ) : null}
    </>
  );
}
