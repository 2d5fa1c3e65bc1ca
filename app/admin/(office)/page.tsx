import { useFormatter, useTranslations } from "next-intl";
import { getFormatter, getTranslations } from "next-intl/server";
import { useCountText } from "#components/admin/list-parts";
import { Facts, OfficeLink } from "#components/admin/tables";
import { PageHead } from "#components/shell/page-head";
import { Card } from "#components/ui/card";
import { readOverview } from "#lib/office/overview";
import type { Overview } from "#lib/office/overview/schema";
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
  return (
    <>
      <PageHead heading={nav("overview")} note={t("note")} />
      <div className="grid gap-5">
        <Figures figures={figures} />
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

/** Each number leads to the list of what it counts. */
function Figures({ figures }: { figures: Overview }) {
  const t = useTranslations("admin.overview");
  const format = useFormatter();
  const countText = useCountText();
  const { jobsFailed } = figures;
  const counted = (["workspaces", "people", "links"] as const).map((name) => ({
    label: t(name),
    value: <OfficeLink href={`/admin/${name}`}>{countText(figures[name])}</OfficeLink>,
  }));
  return (
    <Card heading={t("figures")}>
      <Facts
        facts={[
          ...counted,
          ...(["reports", "bans"] as const).map((name) => ({
            label: t(name),
            value: <OfficeLink href={`/admin/${name}`}>{format.number(figures[name])}</OfficeLink>,
          })),
          {
            label: t("clicksToday"),
            value: (
              <OfficeLink href="/admin/usage">{format.number(figures.clicksToday)}</OfficeLink>
            ),
          },
          {
            label: t("jobsFailed"),
            value: (
              <OfficeLink href="/admin/system">
                {jobsFailed === null ? t("unknown") : format.number(jobsFailed)}
              </OfficeLink>
            ),
          },
        ]}
      />
    </Card>
  );
}
