import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { useCountText } from "#components/admin/list-parts";
import { PlanForm } from "#components/admin/plan-form";
import { OfficeLink } from "#components/admin/tables";
import { PlanTable } from "#components/plans/plan-table";
import { PageHead } from "#components/shell/page-head";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { InputField } from "#components/ui/labeled";
import { countWorkspaces } from "#lib/office/directory";
import type { OfficeCount } from "#lib/office/directory/schema";
import { type PlanName, planNames } from "#lib/platform/config/schema";
import { findPlanOf, type OperatorPlan } from "#lib/tenancy/plan-changes";
import { offersSupport } from "#lib/tenancy/support";
import { type PageQuery, Texts } from "../../../pages.tsx";
import { listPlans } from "../../../plans.ts";
import { requireOperator } from "../../access.ts";
import { officeTitle } from "../../title.ts";
import { setPlanAction } from "./actions.ts";

export const generateMetadata = officeTitle("plans");

export default async function PlansPage({ searchParams }: PageQuery) {
  const operator = await requireOperator();
  const { workspace, plan } = await searchParams;
  const name = typeof workspace === "string" ? workspace.trim() : "";
  const [t, found, counts] = await Promise.all([
    getTranslations("admin.plan"),
    name === "" ? undefined : findPlanOf(operator, name),
    Promise.all(planNames.map((one) => countWorkspaces({ plan: one }))),
  ]);
  return (
    <Texts of={["admin.plan", "plans.names", "plans.planNames"]}>
      <PageHead heading={t("heading")} note={t("note")} />
      <div className="grid gap-5">
        <form className="flex flex-wrap items-end gap-3" action="/admin/plans">
          <InputField
            label={t("workspace")}
            placeholder={t("workspaceHint")}
            outerClass="min-w-64 flex-1"
            name="workspace"
            defaultValue={name}
            required
            maxLength={255}
          />
          <Button type="submit" className="h-9 pointer-coarse:h-11">
            {t("find")}
          </Button>
        </form>
        {name !== "" && !found ? <p role="status">{t("missing", { name })}</p> : null}
        {found ? <FoundPlan found={found} wanted={planNames.find((one) => one === plan)} /> : null}
        <Plans counts={counts} found={found} />
      </div>
    </Texts>
  );
}

interface PlansProps {
  counts: readonly OfficeCount[];
  found: OperatorPlan | undefined;
}

/** What each plan includes, and how many workspaces have it. */
function Plans({ counts, found }: PlansProps) {
  const t = useTranslations("admin.plan");
  const names = useTranslations("plans.planNames");
  const countText = useCountText();
  const current = found?.state.plan;
  const changes = planNames.map((name) =>
    found === undefined || name === current ? (
      "–"
    ) : (
      <OfficeLink key={name} href={`/admin/plans?workspace=${found.workspaceId}&plan=${name}`}>
        {t("change")}
        <span className="sr-only"> {t("changeTo", { plan: names(name) })}</span>
      </OfficeLink>
    ),
  );
  return (
    <section aria-labelledby="plans" className="grid gap-3">
      <h2 id="plans" className="font-semibold text-base">
        {t("all")}
      </h2>
      {found ? null : <p className="text-ink-muted text-sm">{t("pick")}</p>}
      <PlanTable
        plans={listPlans()}
        {...(current === undefined ? {} : { current })}
        offersSupport={offersSupport()}
        more={[
          {
            label: t("workspaces"),
            cells: planNames.map((name, at) => (
              <OfficeLink key={name} href={`/admin/workspaces?plan=${name}`}>
                {countText(counts[at] ?? { count: 0, about: false })}
              </OfficeLink>
            )),
          },
          ...(found ? [{ label: t("change"), cells: changes }] : []),
        ]}
      />
    </section>
  );
}

interface FoundPlanProps {
  found: OperatorPlan;
  wanted: PlanName | undefined;
}

async function FoundPlan({ found, wanted }: FoundPlanProps) {
  const t = await getTranslations("admin.plan");
  return (
    <Card heading={found.name} note={`${t("source")}: ${t(`sources.${found.state.source}`)}`}>
      <PlanForm
        key={`${found.workspaceId} ${wanted}`}
        state={{ ...found.state, plan: wanted ?? found.state.plan }}
        action={setPlanAction.bind(null, found.workspaceId)}
      />
    </Card>
  );
}
