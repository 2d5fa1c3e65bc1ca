import { getFormatter, getTranslations } from "next-intl/server";
import { Facts } from "#components/admin/tables";
import { PageHead } from "#components/shell/page-head";
import { Card } from "#components/ui/card";
import { readOverview } from "#lib/office/overview";
import type { OfficeCount } from "#lib/office/overview/schema";
import { requireOperator } from "../access.ts";
import { officeTitle } from "../title.ts";

export const generateMetadata = officeTitle("overview");

export default async function OverviewPage() {
  const operator = await requireOperator();
  const [nav, t, format, figures] = await Promise.all([
    getTranslations("admin.nav"),
    getTranslations("admin.overview"),
    getFormatter(),
    readOverview(operator),
  ]);
  const countOf = ({ count, about }: OfficeCount) =>
    about ? t("about", { count: format.number(count) }) : format.number(count);
  return (
    <>
      <PageHead heading={nav("overview")} note={t("note")} />
      <div className="grid gap-5">
        <Card heading={t("figures")}>
          <Facts
            facts={[
              { label: t("workspaces"), value: countOf(figures.workspaces) },
              { label: t("people"), value: countOf(figures.people) },
              { label: t("links"), value: countOf(figures.links) },
              { label: t("clicksToday"), value: format.number(figures.clicksToday) },
              {
                label: t("jobsFailed"),
                value:
                  figures.jobsFailed === null ? t("unknown") : format.number(figures.jobsFailed),
              },
            ]}
          />
        </Card>
        <Card heading={t("codes")} note={t("codesNote")}>
          <Facts
            facts={figures.codes.map(({ length, leased, left }) => ({
              label: t("codesOf", { length }),
              value: t("codesLeft", { leased: format.number(leased), left: format.number(left) }),
            }))}
          />
        </Card>
      </div>
    </>
  );
}
