import { Download, Trash2, Upload } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useFormatter, useTranslations } from "next-intl";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { ConfirmButton } from "#components/ui/confirm-dialog";
import { FormError } from "#components/ui/form-error";
import { toast } from "#components/ui/toast";
import { deleteImport, resultsUrl } from "./import-calls.ts";
import { isFruitless } from "./import-list.tsx";
import { Figure, type ImportPartProps, OutcomeFigures } from "./import-part.tsx";
import { useProblemMessages } from "./problem-messages.ts";
import { UndoImport } from "./undo-import.tsx";

export function ImportResults(props: ImportPartProps) {
  const { workspace, shown, onShown, mayWrite, undoImport } = props;
  const t = useTranslations("imports");
  const format = useFormatter();
  const { say } = useProblemMessages();
  const { id, state, rows, done, made, refused, error, problem, expiresAt } = shown;
  const undone = rows - done;
  return (
    <Card
      heading={t(isFruitless(shown) ? "states.fruitless" : `states.${state}`)}
      note={
        expiresAt
          ? t("keptUntil", { date: format.dateTime(new Date(expiresAt), { dateStyle: "medium" }) })
          : undefined
      }
    >
      <FormError>{error === null ? undefined : say(problem, error)}</FormError>
      <dl className="flex flex-wrap gap-x-8 gap-y-3 text-sm">
        <OutcomeFigures shown={shown} />
        {undone > 0 ? <Figure name={t("undone")} value={format.number(undone)} /> : null}
      </dl>
      <div className="flex flex-wrap gap-2">
        <Button asChild variant="solid">
          <a href={resultsUrl(workspace, id, "all")} download>
            <Download aria-hidden />
            {t("results")}
          </a>
        </Button>
        {refused + undone > 0 ? (
          <Button asChild>
            <a href={resultsUrl(workspace, id, "failed")} download>
              <Download aria-hidden />
              {t("failures")}
            </a>
          </Button>
        ) : null}
        {made > 0 ? (
          <Button asChild>
            <Link href={`/app/${workspace}/links?import=${id}`}>{t("seeLinks")}</Link>
          </Button>
        ) : null}
        {mayWrite ? (
          <>
            <Button asChild>
              <Link href={`/app/${workspace}/imports`}>
                <Upload aria-hidden />
                {t("another")}
              </Link>
            </Button>
            {undoImport && shown.undoUntil && Date.parse(shown.undoUntil) > Date.now() ? (
              <UndoImport shown={shown} undoImport={undoImport} onUndone={onShown} />
            ) : null}
            <DeleteImport workspace={workspace} id={id} />
          </>
        ) : null}
      </div>
      {shown.undoneAt ? <p className="text-ink-muted text-sm">{t("wasUndone")}</p> : null}
      {refused + undone > 0 ? (
        <p className="max-w-prose text-ink-muted text-sm">{t("failuresHint")}</p>
      ) : null}
    </Card>
  );
}

/** Deletes the file and its outcomes; links stay. */
export function DeleteImport({ workspace, id }: { workspace: string; id: string }) {
  const t = useTranslations("imports");
  const router = useRouter();
  const drop = () =>
    deleteImport(workspace, id).then(
      () => {
        router.push(`/app/${workspace}/imports`);
        router.refresh();
      },
      (error: Error) => toast.error(error.message),
    );
  return (
    <ConfirmButton
      variant="ghost"
      title={t("dropTitle")}
      question={t("dropText")}
      action={t("drop")}
      onConfirm={drop}
    >
      <Trash2 aria-hidden />
      {t("drop")}
    </ConfirmButton>
  );
}
