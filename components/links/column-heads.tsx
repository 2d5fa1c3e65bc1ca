"use client";

import { useTranslations } from "next-intl";
import { SortHead } from "#components/analytics/sort-head";
import type { Sorter } from "#components/analytics/sorting.ts";
import { useUrlFilters } from "#components/shell/url-filters";
import { classNames } from "#components/ui/class-names.ts";
import {
  type Column,
  type ListLayout,
  type Order,
  orderAfter,
  orderOf,
  orders,
} from "./list-layout.ts";

/** The width of each column, and the width of the list from which it has room. Narrower lists put tags and folders below. */
export const columnClasses: Readonly<Record<Column, string>> = {
  tags: "@2xl:w-32 @2xl:shrink-0 @5xl:w-36 @7xl:w-64",
  folder: "@2xl:w-24 @2xl:shrink-0 @5xl:w-28 @7xl:w-36",
  creator: "hidden w-12 shrink-0 @5xl:flex",
  created: "hidden w-24 shrink-0 @3xl:block",
  lastClicked: "hidden w-24 shrink-0 @4xl:block",
  clicks: "shrink-0 @2xl:w-20 @3xl:w-38 @7xl:w-46",
};

const sorts: Readonly<Partial<Record<Column, Order["sortBy"]>>> = {
  created: "createdAt",
  lastClicked: "lastClicked",
  clicks: "clicks",
};

/** The headings of the columns. The rows below are a list, because on a phone they have no columns. */
export function ColumnHeads({ layout }: { layout: ListLayout }) {
  const t = useTranslations("links.columns");
  const { params, set } = useUrlFilters();
  const order = orderOf(params.get("order"));
  const sorter: Sorter<Order["sortBy"]> = {
    sort: { by: order.sortBy, descending: order.sortOrder === "desc" },
    sortBy(by) {
      const { name } = orderAfter(order, by);
      set({ order: name === orders[0].name ? "" : name });
    },
  };
  return (
    <div className="@container">
      <table aria-label={t("label")} className="hidden border-line border-t @2xl:block">
        <thead className="block">
          <tr className="flex h-8 items-center gap-x-3 px-3 text-left text-ink-muted text-xs [&>th]:font-medium">
            <th
              scope="col"
              className={classNames(
                "min-w-0 flex-1 basis-0",
                // As wide as the box and the icon of a row.
                layout.density === "compact" ? "pl-7" : "pl-18",
              )}
            >
              {t("link")}
            </th>
            {layout.columns.map((name) => {
              const column = sorts[name];
              const align = name === "clicks" ? "text-right" : "";
              const className = classNames(columnClasses[name], align);
              return column ? (
                <SortHead key={name} column={column} sorter={sorter} className={className}>
                  {t(name)}
                </SortHead>
              ) : (
                <th key={name} scope="col" className={className}>
                  {t(name)}
                </th>
              );
            })}
            <th scope="col" className="w-7 shrink-0 pointer-coarse:w-9">
              <span className="sr-only">{t("actions")}</span>
            </th>
          </tr>
        </thead>
      </table>
    </div>
  );
}
