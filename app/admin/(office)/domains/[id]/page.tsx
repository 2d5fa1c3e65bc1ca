import { useTranslations } from "next-intl";
import { Facts, OfficeLink, useMoment } from "#components/admin/tables";
import { PageHead } from "#components/shell/page-head";
import { Card } from "#components/ui/card";
import { viewDomain } from "#lib/office/views";
import type { OfficeDomain } from "#lib/office/views/schema";
import { orMissing, type PageOf } from "../../../../pages.tsx";
import { requireOperator } from "../../../access.ts";
import { officeTitle } from "../../../title.ts";

export const generateMetadata = officeTitle("search");

export default async function OfficeDomainPage({ params }: PageOf<"id">) {
  const operator = await requireOperator();
  const { id } = await params;
  const domain = await orMissing(viewDomain(operator, id));
  return (
    <>
      <PageHead heading={domain.slug} />
      <DomainView domain={domain} />
    </>
  );
}

function DomainView({ domain }: { domain: OfficeDomain }) {
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
