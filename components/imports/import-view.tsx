"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { BackLink } from "#components/shell/back-link";
import { PageHead } from "#components/shell/page-head";
import { useVisibleInterval } from "#components/shell/visible-interval.ts";
import type { Import } from "#lib/transfer/imports/schema";
import { readImport } from "./import-calls.ts";
import type { ImportPartProps } from "./import-part.tsx";
import { ImportProgress } from "./import-progress.tsx";
import { ImportResults } from "./import-results.tsx";
import { ImportSetup } from "./import-setup.tsx";
import { RefusedRows } from "./refused-rows.tsx";

interface ImportViewProps {
  workspace: string;
  found: Import;
  hosts: readonly string[];
  /** May create links. */
  mayWrite: boolean;
  undoImport: ImportPartProps["undoImport"];
  /** The progress of the deletion of its links. */
  note: ReactNode;
}

const pollEveryMs = 1_000;

/** An import, from the contents of its file to the outcomes of its rows. */
export function ImportView({ workspace, found, hosts, note, ...may }: ImportViewProps) {
  const t = useTranslations("imports");
  const [shown, setShown] = useState(found);
  const open = shown.state === "waiting" || shown.state === "running";
  const router = useRouter();
  useVisibleInterval(open ? pollEveryMs : undefined, () => {
    readImport(workspace, shown.id).then(
      (now) => {
        setShown(now);
        // Lists of links and notifications show the results too.
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
        <ImportSetup {...part} hosts={hosts} />
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
