import { useTranslations } from "next-intl";
import { Card } from "#components/ui/card";
import { classNames } from "#components/ui/class-names.ts";
import { FormError } from "#components/ui/form-error";
import { Skeleton } from "#components/ui/skeleton";
import { Table, TableCell, TableHead, TableRow } from "#components/ui/table";
import type { Preview } from "#lib/transfer/imports/schema";
import { useProblemMessages } from "./problem-messages.ts";

const rowsShown = 8;
const problemsShown = 10;

interface ImportPreviewProps {
  preview: Preview | undefined;
  stale: boolean;
}

export function ImportPreview({ preview, stale }: ImportPreviewProps) {
  const t = useTranslations("imports");
  const { say } = useProblemMessages();
  if (!preview) {
    return (
      <Card heading={t("preview")}>
        <Skeleton className="h-40 w-full" />
      </Card>
    );
  }
  const { obstacle, obstacleProblem, warnings, notes, rows, problems } = preview;
  return (
    <div aria-busy={stale} className={classNames("transition-opacity", stale && "opacity-60")}>
      <Card heading={t("preview")} note={t("previewNote", { count: rows.length })}>
        <FormError>{obstacle === null ? undefined : say(obstacleProblem, obstacle)}</FormError>
        {warnings.map(({ message, ...warning }) => (
          <FormError key={warning.code}>{say(warning, message)}</FormError>
        ))}
        {notes.map(({ message, ...note }) => (
          <p key={note.code} className="rounded-md border border-line bg-canvas px-3 py-2 text-sm">
            {say(note, message)}
          </p>
        ))}
        <Refused preview={preview} />
        <Problems problems={problems} tried={rows.length} warned={warnings.length > 0} />
        <FirstRows rows={rows} />
      </Card>
    </div>
  );
}

/** If more rows were checked than are shown, says how many won’t be imported, by reason. */
function Refused({ preview: { checked, refused, rows } }: { preview: Preview }) {
  const t = useTranslations("imports");
  if (checked <= rows.length && refused.length === 0) return null;
  const all = refused.reduce((sum, one) => sum + one.rows, 0);
  return (
    <div className="grid gap-1 text-sm">
      <p className="font-medium">{t("checkedNote", { checked, refused: all })}</p>
      <ul className="grid list-inside list-disc gap-0.5 text-ink-muted">
        {refused.map(({ code, rows: count }) => (
          <li key={code}>{t("checkedReason", { rows: count, reason: reasonOf(t, code) })}</li>
        ))}
      </ul>
    </div>
  );
}

function reasonOf(t: ReturnType<typeof useTranslations<"imports">>, code: string): string {
  const key = `reasons.${code}` as "reasons.other";
  return t.has(key) ? t(key) : t("reasons.other");
}

interface ProblemsProps {
  problems: Preview["problems"];
  tried: number;
  /** If a warning is shown, the page does not say that all is well. */
  warned: boolean;
}

function Problems({ problems, tried, warned }: ProblemsProps) {
  const t = useTranslations("imports");
  const { say } = useProblemMessages();
  if (tried === 0) return null;
  if (problems.length === 0 && warned) return null;
  if (problems.length === 0) return <p className="text-ink-muted text-sm">{t("noProblems")}</p>;
  const more = problems.length - problemsShown;
  return (
    <section aria-label={t("problems", { count: problems.length })} className="grid gap-2">
      <h3 className="font-medium text-sm">{t("problems", { count: problems.length })}</h3>
      <p className="text-ink-muted text-sm">{t("problemsNote")}</p>
      <ul className="grid gap-1 text-sm">
        {problems.slice(0, problemsShown).map(({ line, message, ...problem }) => (
          <li key={line} className="flex gap-2">
            <span className="shrink-0 font-medium tabular-nums">{t("line", { line })}</span>
            <span className="min-w-0 break-words text-danger">{say(problem, message)}</span>
          </li>
        ))}
      </ul>
      {more > 0 ? (
        <p className="text-ink-muted text-sm">{t("moreProblems", { count: more })}</p>
      ) : null}
    </section>
  );
}

function FirstRows({ rows }: { rows: Preview["rows"] }) {
  const t = useTranslations("imports");
  const links = rows.flatMap(({ line, link }) => (link ? [{ line, ...link }] : []));
  if (links.length === 0) return null;
  return (
    <Table caption={t("firstRows")}>
      <thead>
        <tr>
          <TableHead>{t("lineHead")}</TableHead>
          <TableHead>{t("shortLink")}</TableHead>
          <TableHead>{t("fields.url")}</TableHead>
          <TableHead className="hidden sm:table-cell">{t("fields.title")}</TableHead>
          <TableHead className="hidden sm:table-cell">{t("fields.tagNames")}</TableHead>
        </tr>
      </thead>
      <tbody>
        {links.slice(0, rowsShown).map(({ line, domain, key, url, title, tags }) => (
          <TableRow key={line}>
            <TableCell className="text-ink-muted tabular-nums">{line}</TableCell>
            <TableCell>
              {domain}/{key ?? <span className="text-ink-muted">{t("generated")}</span>}
            </TableCell>
            <TableCell className="max-w-64 truncate">{url}</TableCell>
            <TableCell className="hidden max-w-48 truncate sm:table-cell">{title}</TableCell>
            <TableCell className="hidden max-w-48 truncate sm:table-cell">
              {tags.join(", ")}
            </TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
