"use client";

import { useRouter } from "next/navigation";
import { useFormatter, useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import { BackLink } from "#components/shell/back-link";
import { PageHead } from "#components/shell/page-head";
import { useVisibleInterval } from "#components/shell/visible-interval.ts";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { FormError } from "#components/ui/form-error";
import { Progress } from "#components/ui/progress";
import { Skeleton } from "#components/ui/skeleton";
import { Table, TableCell, TableHead, TableRow } from "#components/ui/table";
import { toast } from "#components/ui/toast";
import type { Import, RefusedRow } from "#lib/transfer/imports/schema";
import { actOn, readImport, readRefused, refusedPageSize } from "./import-calls.ts";
import type { AddDomain } from "./import-domains.tsx";
import { Figure, type ImportPartProps, OutcomeFigures } from "./import-part.tsx";
import { ImportResults } from "./import-results.tsx";
import { ImportSetup } from "./import-setup.tsx";
import { useProblemMessages } from "./problem-messages.ts";

interface ImportViewProps {
  workspace: string;
  found: Import;
  hosts: readonly string[];
  addDomain: AddDomain;
  mayWrite: boolean;
  undoImport: ImportPartProps["undoImport"];
  note: ReactNode;
}

const pollEveryMs = 1_000;

export function ImportView({ workspace, found, hosts, addDomain, note, ...may }: ImportViewProps) {
  const t = useTranslations("imports");
  const [shown, setShown] = useState(found);
  const open = shown.state === "waiting" || shown.state === "running";
  const router = useRouter();
  useVisibleInterval(open ? pollEveryMs : undefined, () => {
    readImport(workspace, shown.id).then(
      (now) => {
        setShown(now);
        // The notifications and lists of links show the results too.
        if (now.finishedAt) router.refresh();
      },
      () => undefined, // the next poll reports it too
    );
  });
  const part = { workspace, shown, onShown: setShown, ...may };
  return (
    <>
      <BackLink href={`/app/${workspace}/imports`}>{t("heading")}</BackLink>
      <PageHead heading={shown.name} note={t("rowsInFile", { count: shown.rows })} />
      {note}
      {shown.state === "ready" ? (
        <ImportSetup {...part} hosts={hosts} addDomain={addDomain} />
      ) : open ? (
        <ImportProgress {...part} />
      ) : (
        <div className="grid gap-4">
          <ImportResults {...part} />
          {shown.refused > 0 ? <RefusedRows workspace={workspace} shown={shown} /> : null}
        </div>
      )}
    </>
  );
}

/** The progress of an import. The page may be closed, because a worker runs the import. */
function ImportProgress({ workspace, shown, onShown, mayWrite }: ImportPartProps) {
  const t = useTranslations("imports");
  const format = useFormatter();
  const [isAsking, setIsAsking] = useState(false);
  const { id, rows, done, made, reused, rowsPerSecond, secondsLeft } = shown;
  const share = rows > 0 ? done / rows : 0;
  const percent = format.number(share, { style: "percent", maximumFractionDigits: 0 });

  const cancel = () =>
    actOn(workspace, id, "cancel").then(onShown, (error: Error) => toast.error(error.message));

  return (
    <Card
      heading={t(`states.${shown.state}`)}
      note={t("mayLeave")}
      aside={mayWrite ? <Button onClick={() => setIsAsking(true)}>{t("cancel")}</Button> : null}
    >
      <Progress label={t("progress", { done, rows, percent })} share={share} />
      <dl className="flex flex-wrap gap-x-8 gap-y-3 text-sm">
        <OutcomeFigures shown={shown} />
        {rowsPerSecond === null ? null : (
          <Figure name={t("speed")} value={format.number(rowsPerSecond)} />
        )}
        {secondsLeft === null ? null : (
          <Figure
            name={t("left")}
            value={t("duration", {
              minutes: Math.floor(secondsLeft / 60),
              seconds: secondsLeft % 60,
            })}
          />
        )}
      </dl>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t("cancelTitle")}
        action={t("cancel")}
        onConfirm={cancel}
      >
        {t("cancelText", { made: made - reused })}
      </ConfirmDialog>
    </Card>
  );
}

function RefusedRows({ workspace, shown }: { workspace: string; shown: Import }) {
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
