import { getTranslations } from "next-intl/server";
import { PlanForm } from "#components/admin/plan-form";
import { PageHead } from "#components/shell/page-head";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { InputField } from "#components/ui/labeled";
import { findPlanOf, type OperatorPlan } from "#lib/tenancy/plan-changes";
import { type PageQuery, Texts } from "../../../pages.tsx";
import { requireOperator } from "../../access.ts";
import { officeTitle } from "../../title.ts";
import { setPlanAction } from "./actions.ts";

export const generateMetadata = officeTitle("plans");

export default async function PlansPage({ searchParams }: PageQuery) {
  const operator = await requireOperator();
  const { workspace } = await searchParams;
  const name = typeof workspace === "string" ? workspace.trim() : "";
  const [t, found] = await Promise.all([
    getTranslations("admin.plan"),
    name === "" ? undefined : findPlanOf(operator, name),
  ]);
  return (
    <Texts of={["admin.plan", "plans.names", "plans.planNames"]}>
      <PageHead heading={t("heading")} note={t("note")} />
      <div className="grid gap-5">
        <form className="flex flex-wrap items-end gap-3" action="/admin/plans">
          <InputField
            label={t("workspace")}
            hint={t("workspaceHint")}
            outerClass="min-w-64 flex-1"
            name="workspace"
            defaultValue={name}
            required
            maxLength={255}
          />
          <Button type="submit">{t("find")}</Button>
        </form>
        {name !== "" && !found ? <p role="status">{t("missing", { name })}</p> : null}
        {found ? <FoundPlan found={found} /> : null}
      </div>
    </Texts>
  );
}

async function FoundPlan({ found }: { found: OperatorPlan }) {
  const t = await getTranslations("admin.plan");
  return (
    <Card heading={found.name} note={`${t("source")}: ${t(`sources.${found.state.source}`)}`}>
      <PlanForm
        key={found.workspaceId}
        state={found.state}
        action={setPlanAction.bind(null, found.workspaceId)}
      />
    </Card>
  );
}
