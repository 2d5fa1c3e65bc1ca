"use client";

import { useTranslations } from "next-intl";
import { Button } from "#components/ui/button";
import { classNames } from "#components/ui/class-names.ts";
import { SelectBox } from "./select-box.tsx";
import type { Selection } from "./use-selection.ts";

export interface ListRange {
  first: number;
  total: number;
  more: boolean;
}

interface ListHeadProps {
  selection: Selection;
  count: number;
  range: ListRange;
  apart: boolean;
  mayAll: boolean;
  /** The headings of the columns, if there are columns. */
  heads: React.ReactNode;
  children: React.ReactNode;
}

export function ListHead(props: ListHeadProps) {
  const { selection, count, range, apart, mayAll, heads, children } = props;
  const t = useTranslations("linkGroup");
  const some = selection.count > 0;
  const whole = selection.onPage === count;
  return (
    <div
      className={classNames(
        "sticky top-14 z-20 border border-line bg-sunken md:top-0",
        apart ? "rounded-xl" : "rounded-t-xl border-b-0",
      )}
    >
      {/* On a phone, the bar of the selection is at the bottom of the screen. A container would keep it in here. */}
      <div className="flex h-12 items-center gap-3 px-3 sm:@container">
        <SelectBox
          label={t("selectAll")}
          checked={some && whole}
          mixed={some && !whole}
          onChange={selection.toggleAll}
        />
        <p role="status" className="mr-auto text-ink-muted text-sm tabular-nums">
          {some ? (
            <Selected selection={selection} range={range} />
          ) : (
            <Range range={range} count={count} />
          )}
        </p>
        {children}
      </div>
      {heads}
      {mayAll && some && whole && !selection.all && range.total > selection.count ? (
        <p className="flex flex-wrap items-center gap-x-2 border-line border-t px-3 py-1.5 text-sm">
          <span className="text-ink-muted">{t("pageSelected", { count })}</span>
          <Button variant="ghost" size="sm" onClick={selection.selectAll}>
            {range.more ? t("selectMatching") : t("selectMatchingCount", { count: range.total })}
          </Button>
        </p>
      ) : null}
    </div>
  );
}

function Range({ range: { first, total, more }, count }: { range: ListRange; count: number }) {
  const t = useTranslations("linkGroup");
  const last = first + count - 1;
  // If links were created or deleted since the previous page, this position is not exact.
  return t(more ? "rangeMore" : "range", { first, last, total: Math.max(total, last) });
}

function Selected({ selection, range }: { selection: Selection; range: ListRange }) {
  const t = useTranslations("linkGroup");
  if (!selection.all) return t("selected", { count: selection.count });
  return range.more ? t("allSelected") : t("selected", { count: range.total });
}
