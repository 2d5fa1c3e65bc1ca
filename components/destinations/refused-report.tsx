"use client";

import { useTranslations } from "next-intl";
import { useState, useTransition } from "react";
import { type FormAnswer, useAction } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { Table, TableCell, TableHead, TableRow } from "#components/ui/table";
import { bareUrl } from "#lib/basics/urls/schema";
import type { RefusedLinks } from "#lib/links/refused-links/schema";

interface RefusedReportProps {
  list: (startingAfter: string) => Promise<FormAnswer<RefusedLinks>>;
  disable: () => Promise<FormAnswer<null>>;
}

export function RefusedReport({ list, disable }: RefusedReportProps) {
  const t = useTranslations("destinations");
  const runAction = useAction();
  const [report, setReport] = useState<RefusedLinks>();
  const [asking, setAsking] = useState(false);
  const [pending, start] = useTransition();

  function check(before: RefusedLinks | undefined) {
    start(async () => {
      const answer = await runAction(() => list(before?.next ?? ""));
      if (!answer) return;
      const { links, checked, next } = answer.done;
      setReport({
        links: [...(before?.links ?? []), ...links],
        checked: (before?.checked ?? 0) + checked,
        next,
      });
    });
  }

  function disableAll() {
    start(async () => {
      if (await runAction(disable)) setReport(undefined);
    });
  }

  const found = report?.links.length ?? 0;
  return (
    <Card heading={t("report")} note={t("reportNote")}>
      <p role="status" className="text-sm empty:hidden">
        {report ? t(found > 0 ? "found" : "clean", { found, count: report.checked }) : null}
      </p>
      {report && found > 0 ? <RefusedTable links={report.links} /> : null}
      <div className="flex flex-wrap gap-2">
        <Button pending={pending} onClick={() => check(undefined)}>
          {t("check")}
        </Button>
        {report?.next ? (
          <Button pending={pending} onClick={() => check(report)}>
            {t("checkMore")}
          </Button>
        ) : null}
        {found > 0 ? (
          <Button className="text-danger" pending={pending} onClick={() => setAsking(true)}>
            {t("disable")}
          </Button>
        ) : null}
      </div>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t("disableTitle")}
        action={t("disable")}
        onConfirm={disableAll}
      >
        {t("disableText")}
      </ConfirmDialog>
    </Card>
  );
}

function RefusedTable({ links }: Pick<RefusedLinks, "links">) {
  const t = useTranslations("destinations");
  return (
    <Table caption={t("caption")}>
      <thead>
        <tr>
          <TableHead>{t("shortLink")}</TableHead>
          <TableHead>{t("host")}</TableHead>
          <TableHead>{t("why")}</TableHead>
        </tr>
      </thead>
      <tbody>
        {links.map(({ id, shortLink, host, list, owner }) => (
          <TableRow key={id}>
            <TableCell>{bareUrl(shortLink)}</TableCell>
            <TableCell>{host}</TableCell>
            <TableCell>{t(`why_${list}_${owner}`)}</TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
