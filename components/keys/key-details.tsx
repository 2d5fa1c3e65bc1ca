import { useFormatter, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Card } from "#components/ui/card";
import type { ApiKey } from "#lib/identity/api-keys/schema";
import { keyPermissions } from "#lib/tenancy/access/schema";
import type { KeyChoice, KeyChoices } from "./key-limits.tsx";

interface KeyDetailsProps {
  apiKey: ApiKey;
  choices: KeyChoices;
  zone: string;
}

/** What a key may do, from where and until when. */
export function KeyDetails({ apiKey, choices, zone }: KeyDetailsProps) {
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
