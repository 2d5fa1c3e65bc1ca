import { useTranslations } from "next-intl";
import { Card } from "#components/ui/card";
import type { OfficeDomain } from "#lib/office/views/schema";
import { Facts } from "./facts.tsx";
import { OfficeLink } from "./office-link.tsx";
import { useMoment } from "./use-moment.ts";

/** A domain and its owner. */
export function DomainView({ domain }: { domain: OfficeDomain }) {
  const t = useTranslations("admin.domain");
  const moment = useMoment();
  const { workspace } = domain;
  return (
    <Card heading={t("heading")}>
      <Facts
        facts={[
          { label: t("id"), value: domain.id },
          {
            label: t("workspace"),
            value: workspace ? (
              <OfficeLink href={`/admin/workspaces/${workspace.id}`}>{workspace.name}</OfficeLink>
            ) : (
              t("instance")
            ),
          },
          { label: t("verified"), value: moment(domain.verifiedAt) },
          { label: t("checked"), value: moment(domain.checkedAt) },
          { label: t("failing"), value: moment(domain.failingSince) },
          { label: t("created"), value: moment(domain.createdAt) },
          { label: t("primary"), value: t(domain.primary ? "yes" : "no") },
          { label: t("archived"), value: t(domain.archived ? "yes" : "no") },
          { label: t("expiredUrl"), value: domain.expiredUrl ?? "–" },
          { label: t("notFoundUrl"), value: domain.notFoundUrl ?? "–" },
        ]}
      />
    </Card>
  );
}
