"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { FormError } from "#components/ui/form-error";
import { Skeleton } from "#components/ui/skeleton";
import { Table, TableCell, TableHead, TableRow } from "#components/ui/table";
import type { Import, RefusedRow } from "#lib/transfer/imports/schema";
import { readRefused, refusedPageSize } from "./import-calls.ts";
import { useProblemMessages } from "./problem-messages.ts";

/** The rows without a link: where they are in the file, what they contain, and what to change. */
export function RefusedRows({ workspace, shown }: { workspace: string; shown: Import }) {
  const t = useTranslations("imports");
  const { say, sayError } = useProblemMessages();
  const [rows, setRows] = useState<readonly RefusedRow[]>();
  const [page, setPage] = useState(1);
  const [error, setError] = useState<string>();
  // The messages of a language are the same in every render.
  // biome-ignore lint/correctness/useExhaustiveDependencies: sayError
  useEffect(() => {
    let isCurrent = true;
    readRefused(workspace, shown.id, page).then(
      (found) =>
        isCurrent && setRows((before = []) => (page === 1 ? found : [...before, ...found])),
      (failure: Error) => isCurrent && setError(sayError(failure)),
    );
    return () => {
      isCurrent = false;
    };
  }, [workspace, shown.id, page]);
  if (error) return <FormError>{error}</FormError>;
  return (
    <Card heading={t("refusedRows")} note={t("refusedNote")}>
      {rows ? (
        <Table caption={t("refusedTable")}>
          <thead>
            <tr>
              <TableHead>{t("lineHead")}</TableHead>
              <TableHead>{t("reason")}</TableHead>
              <TableHead className="hidden sm:table-cell">{t("rowContent")}</TableHead>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ line, message, cells, ...problem }) => (
              <TableRow key={line}>
                <TableCell className="align-top tabular-nums">{line}</TableCell>
                <TableCell className="min-w-0 whitespace-normal text-danger">
                  <span className="break-words">{say(problem, message)}</span>
                  <span className="block break-all text-ink-muted text-xs sm:hidden">
                    {contentOf(cells)}
                  </span>
                </TableCell>
                <TableCell className="hidden max-w-80 truncate align-top text-ink-muted sm:table-cell">
                  {contentOf(cells)}
                </TableCell>
              </TableRow>
            ))}
          </tbody>
        </Table>
      ) : (
        <Skeleton className="h-24 w-full" />
      )}
      {rows && rows.length === page * refusedPageSize && rows.length < shown.refused ? (
        <Button className="justify-self-start" onClick={() => setPage(page + 1)}>
          {t("moreRefused", { count: shown.refused - rows.length })}
        </Button>
      ) : null}
    </Card>
  );
}

function contentOf(cells: readonly string[]): string {
  return cells.filter((cell) => cell !== "").join(" · ");
}
