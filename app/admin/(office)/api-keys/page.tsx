import { KeyRound } from "lucide-react";
import { getFormatter, getTranslations } from "next-intl/server";
import { ReasonButtons } from "#components/admin/reason-buttons";
import { OfficeLink } from "#components/admin/tables";
import { PageHead } from "#components/shell/page-head";
import { EmptyState } from "#components/ui/empty-state";
import { listPendingKeys } from "#lib/identity/api-keys";
import { config } from "#lib/platform/config";
import { requireOperator } from "../../access.ts";
import { officeTitle } from "../../title.ts";
import { decideKeyAction } from "./actions.ts";

export const generateMetadata = officeTitle("apiKeys");

export default async function PendingKeysPage() {
  const operator = await requireOperator();
  const [nav, t, format, keys] = await Promise.all([
    getTranslations("admin.nav"),
    getTranslations("admin.apiKeys"),
    getFormatter(),
    listPendingKeys(operator),
  ]);
  const isOn = config().FUXI_KEY_APPROVAL === "on";
  return (
    <>
      <PageHead heading={nav("apiKeys")} note={t(isOn ? "noteOn" : "noteOff")} />
      {keys.length === 0 ? (
        <EmptyState icon={<KeyRound aria-hidden />} title={t("emptyTitle")}>
          {t("emptyText")}
        </EmptyState>
      ) : (
        <ul aria-label={nav("apiKeys")} className="grid max-w-2xl gap-3">
          {keys.map(({ id, name, hint, scopes, createdAt, workspace, user }) => (
            <li
              key={id}
              className="grid min-w-0 gap-1 rounded-xl border border-line bg-surface p-5 text-sm"
            >
              <p className="break-words font-medium">
                {name} <span className="font-mono text-ink-muted text-xs">{hint}…</span>
              </p>
              <p className="break-words">
                <OfficeLink href={`/admin/workspaces/${workspace.id}`}>{workspace.name}</OfficeLink>{" "}
                · <OfficeLink href={`/admin/people/${user.id}`}>{user.name}</OfficeLink> (
                {user.email})
              </p>
              <p className="break-words text-ink-muted">
                {t("permissions", { list: scopes.join(", ") })}
              </p>
              <p className="text-ink-muted text-xs">{format.relativeTime(new Date(createdAt))}</p>
              <div className="mt-1 flex gap-2">
                <ReasonButtons
                  size="sm"
                  label={t("reason")}
                  hint={t("reasonHint")}
                  changes={(["approve", "decline"] as const).map((verb) => ({
                    button: t(verb),
                    "aria-label": t(`${verb}Key`, { name }),
                    variant: verb === "decline" ? "ghost" : undefined,
                    title: t(`${verb}Title`),
                    text: t(`${verb}Text`),
                    submit: t(verb),
                    done: t(`${verb}d`),
                    change: decideKeyAction.bind(null, verb, id),
                  }))}
                />
              </div>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
