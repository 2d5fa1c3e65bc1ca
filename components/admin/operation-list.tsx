import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { operationOf } from "#components/audit/actions.ts";
import type { OfficeOperation } from "#lib/office/views/schema";
import { useMoment } from "./use-moment.ts";

/** What administrators did and viewed, newest first. */
export function OperationList({ operations }: { operations: readonly OfficeOperation[] }) {
  const t = useTranslations("admin.nav");
  return (
    <ol aria-label={t("audit")} className="rounded-xl border border-line bg-surface">
      {operations.map((operation) => (
        <Operation key={operation.id} operation={operation} />
      ))}
    </ol>
  );
}

function Operation({ operation }: { operation: OfficeOperation }) {
  const t = useTranslations("admin.audit");
  const sentences = useTranslations("audit.operations");
  const moment = useMoment();
  const { at, actor, actorName, action, details, workspace, address } = operation;
  const name = operation.subjectName ?? textIn(details) ?? operation.subject ?? "–";
  const strong = (text: ReactNode) => <strong className="font-medium">{text}</strong>;
  const verb = operationOf(action);
  const who = actorName ?? (actor === "system" ? t("system") : actor);
  const reason = details?.["reason"];
  return (
    <li className="grid gap-1 border-line border-b px-4 py-3 last:border-b-0">
      <p className="break-words text-sm">
        {action === "operator.find" && workspace === null
          ? t.rich("searched", { actor: who, name, strong })
          : verb
            ? sentences.rich(verb, { actor: who, name, strong })
            : `${who}: ${action} ${name}`}
      </p>
      {typeof reason === "string" ? (
        <p className="break-words text-sm">{t("reason", { reason })}</p>
      ) : null}
      <p className="flex flex-wrap gap-x-2 text-ink-muted text-xs">
        <time dateTime={at}>{moment(at)}</time>
        {workspace ? <span>{t("inWorkspace", { name: workspace.name })}</span> : null}
        {address ? <span className="break-all">{address}</span> : null}
      </p>
    </li>
  );
}

function textIn(details: OfficeOperation["details"]): string | undefined {
  const { text, email, name } = details ?? {};
  return [text, email, name].find((one) => typeof one === "string");
}
