import { getTranslations } from "next-intl/server";
import { PageHead } from "#components/shell/page-head";
import { AppealList } from "#components/trust/appeal-list";
import { BanForm } from "#components/trust/ban-form";
import { BanList } from "#components/trust/ban-list";
import { listAppeals, listBans } from "#lib/office/bans";
import { bansQuery } from "#lib/tenancy/bans/schema";
import { type PageQuery, Texts } from "../../../pages.tsx";
import { requireOperator } from "../../access.ts";
import { officeTitle } from "../../title.ts";
import { createBanAction, decideAppealAction, liftBanAction } from "./actions.ts";

const texts = ["admin.bans", "admin.reasons"];

export const generateMetadata = officeTitle("bans");

export default async function BansPage({ searchParams }: PageQuery) {
  const operator = await requireOperator();
  const asked = await searchParams;
  const state = asked["state"] === "lifted" ? "lifted" : "active";
  const [t, bans, appeals] = await Promise.all([
    getTranslations("admin.bans"),
    listBans(operator, bansQuery.parse({ state })),
    listAppeals(operator),
  ]);
  const { kind, subject } = asked;
  return (
    <Texts of={texts}>
      <PageHead heading={t("title")} note={t("note")} />
      <div className="grid gap-8">
        {appeals.length > 0 ? <AppealList appeals={appeals} decide={decideAppealAction} /> : null}
        <BanForm
          create={createBanAction}
          kind={typeof kind === "string" ? kind : "link"}
          subject={typeof subject === "string" ? subject : ""}
        />
        <BanList bans={bans} state={state} lift={liftBanAction} />
      </div>
    </Texts>
  );
}
