"use client";

import type { ReactNode } from "react";
import { AnnotationsProvider, type BoardAnnotations } from "./annotations.tsx";
import { BoardMenu } from "./board-menu.tsx";
import type { FilterName } from "./board-query.ts";
import { BoardStateProvider, useBoard } from "./board-state.tsx";
import { ConversionsCard } from "./conversions-card.tsx";
import { EmptyCards } from "./empty-cards.tsx";
import { FilterChips } from "./filter-chips.tsx";
import { type BoardPart, boardParts, valueCards } from "./groupings.ts";
import { HoursCard } from "./hours-card.tsx";
import { LiveCard } from "./live-card.tsx";
import { PeriodPicker } from "./period-picker.tsx";
import { SeriesCard } from "./series-card.tsx";
import { type AnalyticsSource, SourceProvider } from "./source.tsx";
import { Totals } from "./totals.tsx";
import { ValueCard } from "./value-card.tsx";

export interface BoardProps {
  source: AnalyticsSource;
  /** The subject of the page, such as one link. */
  about?: Readonly<Partial<Record<FilterName, string>>>;
  parts?: readonly BoardPart[];
  /** Hidden tabs. */
  without?: readonly string[];
  /** Limit of the period in days; null: unlimited. */
  daysMax?: number | null;
  annotations?: BoardAnnotations;
  heading: ReactNode;
  /** Next to the period and the options. */
  children?: ReactNode;
}

const nothing: NonNullable<BoardProps["about"]> = {};
const noAnnotations: BoardAnnotations = { list: [], actions: null };

/** The analytics of a workspace, a link, or a share. */
export function Board(props: BoardProps) {
  const { source, about = nothing, heading, children, daysMax = null, ...others } = props;
  const { annotations = noAnnotations, ...shown } = others;
  return (
    <SourceProvider value={source}>
      <BoardStateProvider about={about} daysMax={daysMax}>
        <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
          {heading}
          <div className="flex flex-wrap items-center gap-2">
            <PeriodPicker />
            <BoardMenu />
            {children}
          </div>
        </div>
        <AnnotationsProvider value={annotations}>
          <BoardBody workspace={source.workspace} linkId={about.linkId} {...shown} />
        </AnnotationsProvider>
      </BoardStateProvider>
    </SourceProvider>
  );
}

interface BoardBodyProps extends Pick<BoardProps, "parts" | "without"> {
  workspace: string | undefined;
  linkId: string | undefined;
}

function BoardBody({ parts = boardParts, without = [], workspace, linkId }: BoardBodyProps) {
  const { query } = useBoard();
  const has = (part: BoardPart) => parts.includes(part);
  return (
    <div className="grid gap-4">
      <FilterChips />
      {has("figures") ? <Totals /> : null}
      {has("series") ? <SeriesCard /> : null}
      <EmptyCards>
        {(foldOf) => (
          <>
            {has("conversions") ? (
              <ConversionsCard isOwn={workspace !== undefined} fold={foldOf("conversions")} />
            ) : null}
            <div className="grid gap-4 empty:hidden lg:grid-cols-2">
              {valueCards.map((card) =>
                has(card) ? (
                  <ValueCard key={card} card={card} without={without} fold={foldOf(card)} />
                ) : null,
              )}
            </div>
            {has("hours") ? <HoursCard fold={foldOf("hours")} /> : null}
          </>
        )}
      </EmptyCards>
      {workspace ? <LiveCard workspace={workspace} linkId={linkId} bots={query.bots} /> : null}
    </div>
  );
}
