"use client";

import { ArrowDown, ArrowUp } from "lucide-react";
import type { Sorter } from "./sorting.ts";

interface SortHeadProps<Column extends string> {
  column: Column;
  sorter: Sorter<Column>;
  isText?: boolean;
  className?: string;
  children: string;
}

/** A column heading that sorts the table. The arrow shows the current order. */
export function SortHead<Column extends string>({
  column,
  sorter: { sort, sortBy },
  isText = false,
  className,
  children,
}: SortHeadProps<Column>) {
  const isSorted = sort.by === column;
  const Arrow = sort.descending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (sort.descending ? "descending" : "ascending") : "none"}
      className={className}
    >
      <button
        type="button"
        onClick={() => sortBy(column, isText)}
        className="inline-flex items-center gap-0.5 rounded-sm underline-offset-4 hover:text-ink hover:underline pointer-coarse:min-h-10"
      >
        {children}
        {isSorted ? <Arrow aria-hidden className="size-3 shrink-0" /> : null}
      </button>
    </th>
  );
}
