import { notFound } from "next/navigation";
import { useFormatter, useTranslations } from "next-intl";
import { getFormatter, getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { KeyActions } from "#components/keys/key-actions";
import type { KeyChoice, KeyChoices } from "#components/keys/key-limits";
import { KeyUseView } from "#components/keys/key-use";
import { BackLink } from "#components/shell/back-link";
import { PageHead } from "#components/shell/page-head";
import { Card } from "#components/ui/card";
import { findApiKey } from "#lib/identity/api-keys";
import type { ApiKey } from "#lib/identity/api-keys/schema";
import { keyPermissions } from "#lib/tenancy/access/schema";
import { findKeyUse } from "#lib/tenancy/key-use";
import { keyUseQuery } from "#lib/tenancy/key-use/schema";
import { type RetirementRules, rulesOf } from "#lib/tenancy/plans";
import { type PageOf, Texts, titleOf } from "../../../../../pages.tsx";
import { requireScope } from "../../../../access.ts";
import { editKeyAction, resumeKeyAction, revokeKeyAction, rotateKeyAction } from "../actions.ts";
import { readChoices } from "../choices.ts";

export const generateMetadata = titleOf("apiKeys.title");

export default async function KeyPage({ params }: PageOf<"workspace" | "id">) {
  const { workspace, id } = await params;
  const scope = await requireScope(workspace);
  const [t, format, apiKey, use, choices] = await Promise.all([
    getTranslations("apiKeys"),
    getFormatter(),
    findApiKey(scope, id),
    findKeyUse(scope, id, keyUseQuery.parse({})),
    readChoices(scope),
  ]);
  if (!apiKey || !use) notFound();
  const { previous } = apiKey;
  const listHref = `/app/${workspace}/settings/api-keys`;
  const until =
    previous &&
    format.dateTime(new Date(previous.endsAt), {
      dateStyle: "medium",
      timeStyle: "short",
      timeZone: scope.zone,
    });
  return (
    <Texts of={["apiKeys"]}>
      <BackLink href={listHref}>{t("title")}</BackLink>
      <PageHead heading={apiKey.name} note={`${apiKey.hint}…`}>
        {scope.permissions.has("keys.write") ? (
          <KeyActions
            apiKey={apiKey}
            choices={choices}
            listHref={listHref}
            editKey={editKeyAction.bind(null, workspace, id)}
            rotateKey={rotateKeyAction.bind(null, workspace, id)}
            resumeKey={resumeKeyAction.bind(null, workspace, id)}
            revokeKey={revokeKeyAction.bind(null, workspace, id)}
          />
        ) : null}
      </PageHead>
      {apiKey.pendingApproval || apiKey.pausedAt ? (
        <p className="mb-5 rounded-xl border border-line bg-sunken p-4 text-sm">
          {t(apiKey.pendingApproval ? "pendingText" : "pausedText")}
        </p>
      ) : null}
      {previous && until ? (
        <p className="mb-5 rounded-xl border border-line bg-sunken p-4 text-sm">
          {t("previousUntil", { hint: `${previous.hint}…`, until })}
        </p>
      ) : null}
      <div className="grid gap-5">
        <KeyUseView use={use} zone={scope.zone} />
        <KeyDetails apiKey={apiKey} choices={choices} zone={scope.zone} rules={rulesOf(scope)} />
      </div>
    </Texts>
  );
}

interface KeyDetailsProps {
  apiKey: ApiKey;
  choices: KeyChoices;
  zone: string;
  rules: RetirementRules;
}

function KeyDetails({ apiKey, choices, zone, rules }: KeyDetailsProps) {
  const t = useTranslations("apiKeys");
  const format = useFormatter();
  const day = (text: string) =>
    format.dateTime(new Date(text), { dateStyle: "medium", timeZone: zone });
  const { allowedAddresses, domainIds, folderIds, callsPerMinute, expiresAt } = apiKey;
  return (
    <Card heading={t("details")}>
      <dl className="grid gap-x-6 gap-y-2.5 text-sm sm:grid-cols-[max-content_1fr]">
        <Detail name={t("access")}>{useAccessNames(apiKey.scopes)}</Detail>
        <Detail name={t("domains")}>
          {domainIds.length > 0 ? namesOf(domainIds, choices.domains) : t("all")}
        </Detail>
        <Detail name={t("folders")}>
          {folderIds.length > 0 ? namesOf(folderIds, choices.folders) : t("all")}
        </Detail>
        <Detail name={t("addresses")}>
          {allowedAddresses.length > 0 ? allowedAddresses.join(", ") : t("all")}
        </Detail>
        <Detail name={t("rate")}>
          {callsPerMinute === null ? t("rateOfPlan") : format.number(callsPerMinute)}
        </Detail>
        <Detail name={t("columnExpires")}>{expiresAt ? day(expiresAt) : t("lives.never")}</Detail>
        <Detail name={t("retirement.label")}>
          {rules.apiDays === 0
            ? t("retirement.never")
            : t(`retirement.${rules.fromCreation ? "afterCreation" : "afterVisit"}`, {
                days: rules.apiDays,
              })}
        </Detail>
        <Detail name={t("owner")}>{apiKey.user.name}</Detail>
        <Detail name={t("columnCreated")}>{day(apiKey.createdAt)}</Detail>
      </dl>
    </Card>
  );
}

function useAccessNames(scopes: readonly string[]): string {
  const t = useTranslations("apiKeys");
  const names = scopes.map((scope) => {
    if (scope === "all" || scope === "read") return t(`accessNames.${scope}`);
    const permission = keyPermissions.find((one) => one === scope);
    return permission ? t(`permissionNames.${permission}`) : scope;
  });
  return names.join(", ");
}

function namesOf(ids: readonly string[], choices: readonly KeyChoice[]): string {
  return ids.map((id) => choices.find((one) => one.id === id)?.name ?? id).join(", ");
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-0.5 sm:contents">
      <dt className="text-ink-muted">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}
