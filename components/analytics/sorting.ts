"use client";

import { useLocale } from "next-intl";
import { useState } from "react";

export interface Sort<Column extends string> {
  by: Column;
  descending: boolean;
}

type Columns<Row, Column extends string> = Readonly<Record<Column, (row: Row) => number | string>>;

/** Numbers by size, texts in the order of the language. Equal rows keep their order. */
export function sortRows<Row>(
  rows: readonly Row[],
  of: (row: Row) => number | string,
  { descending, locale }: { descending: boolean; locale: string },
): readonly Row[] {
  const texts = new Intl.Collator(locale, { numeric: true });
  const sign = descending ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [a, b] = [of(one), of(other)];
    const order =
      typeof a === "number" && typeof b === "number" ? a - b : texts.compare(`${a}`, `${b}`);
    return sign * order;
  });
}

export interface Sorter<Column extends string> {
  sort: Sort<Column>;
  /** Sorting by the same column again reverses the order. Names start with A, numbers with the largest. */
  sortBy: (column: Column, isText?: boolean) => void;
}

/** `initial` is the order that the rows already have. */
export function useSorted<Row, Column extends string>(
  rows: readonly Row[],
  columns: Columns<Row, Column>,
  initial: NoInfer<Sort<Column>>,
): Sorter<Column> & { sorted: readonly Row[] } {
  const locale = useLocale();
  const [sort, setSort] = useState<Sort<Column>>();
  const current = sort ?? initial;
  const { by, descending } = current;
  return {
    sort: current,
    sorted: sort ? sortRows(rows, columns[by], { descending, locale }) : rows,
    sortBy: (column, isText = false) =>
      setSort({ by: column, descending: column === by ? !descending : !isText }),
  };
}
