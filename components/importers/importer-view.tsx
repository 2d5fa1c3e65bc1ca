"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";
import { BackLink } from "#components/shell/back-link";
import { PageHead } from "#components/shell/page-head";
import { useVisibleInterval } from "#components/shell/visible-interval.ts";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { FormError } from "#components/ui/form-error";
import { Progress } from "#components/ui/progress";
import { toast } from "#components/ui/toast";
import { type Importer, systemLabels } from "#lib/transfer/importers/schema";
import { cancelImporter, readImporter } from "./importer-calls.ts";
import { useImporterMessages } from "./problem-messages.ts";

interface ImporterViewProps {
  workspace: string;
  found: Importer;
  mayWrite: boolean;
}

const pollEveryMs = 1_000;

/** The progress of reading another system. The page may be closed, because a worker reads. */
export function ImporterView({ workspace, found, mayWrite }: ImporterViewProps) {
  const t = useTranslations("importers");
  const imports = useTranslations("imports");
  const [shown, setShown] = useState(found);
  const router = useRouter();
  const base = `/app/${workspace}/imports`;
  const isOpen = shown.state === "waiting" || shown.state === "running";
  const show = (now: Importer) => {
    setShown(now);
    if (now.importId !== null) router.replace(`${base}/${now.importId}`);
  };
  useVisibleInterval(isOpen ? pollEveryMs : undefined, () => {
    // The next poll reports the failure.
    readImporter(workspace, shown.id).then(show, () => undefined);
  });
  const name = systemLabels[shown.system];
  const heading = shown.address ? t("of", { system: name, address: hostOf(shown.address) }) : name;
  return (
    <>
      <BackLink href={base}>{imports("heading")}</BackLink>
      <PageHead heading={heading} note={t("note")} />
      {isOpen ? (
        <Reading workspace={workspace} shown={shown} onShown={show} mayWrite={mayWrite} />
      ) : (
        <Ended shown={shown} base={base} />
      )}
    </>
  );
}

function hostOf(address: string): string {
  return new URL(address).host;
}

interface ReadingProps {
  workspace: string;
  shown: Importer;
  onShown: (shown: Importer) => void;
  mayWrite: boolean;
}

function Reading({ workspace, shown, onShown, mayWrite }: ReadingProps) {
  const t = useTranslations("importers");
  const format = useFormatter();
  const { say } = useImporterMessages();
  const [isAsking, setIsAsking] = useState(false);
  const { found, total, resumesAt } = shown;
  const cancel = () =>
    cancelImporter(workspace, shown.id).then(onShown, (error: Error) => toast.error(error.message));
  return (
    <Card
      heading={t(`states.${resumesAt ? "paused" : shown.state}`)}
      note={t("mayLeave")}
      aside={mayWrite ? <Button onClick={() => setIsAsking(true)}>{t("cancel")}</Button> : null}
    >
      <Progress
        label={t("reading", { found, total: total ?? -1 })}
        share={total ? Math.min(found / total, 1) : undefined}
      />
      {resumesAt ? (
        <p role="status" className="text-ink-muted text-sm">
          <span className="block">{say(shown)}</span>
          {t("goesOn", { time: format.dateTime(new Date(resumesAt), { timeStyle: "medium" }) })}
        </p>
      ) : null}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t("cancelTitle")}
        action={t("cancel")}
        onConfirm={cancel}
      >
        {t("cancelText")}
      </ConfirmDialog>
    </Card>
  );
}

function Ended({ shown, base }: { shown: Importer; base: string }) {
  const t = useTranslations("importers");
  const { say } = useImporterMessages();
  const { state, importId } = shown;
  return (
    <Card heading={t(`states.${state}`)}>
      {state === "cancelled" ? <p className="text-sm">{t("cancelled")}</p> : null}
      <FormError>{state === "failed" ? say(shown) : undefined}</FormError>
      <div className="flex flex-wrap gap-2">
        {importId ? (
          <Button asChild variant="solid">
            <Link href={`${base}/${importId}`}>{t("review")}</Link>
          </Button>
        ) : (
          <Button asChild>
            <Link href={`${base}/move`}>{t("again")}</Link>
          </Button>
        )}
      </div>
    </Card>
  );
}
