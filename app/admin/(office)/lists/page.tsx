import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { InstanceListCard } from "#components/admin/instance-list-card";
import { PageHead } from "#components/shell/page-head";
import { Button } from "#components/ui/button";
import { getInstanceLists } from "#lib/destinations/lists";
import { type InstanceList, instanceListKinds } from "#lib/destinations/lists/schema";
import { findErrorKey } from "#lib/platform/messages";
import { Texts } from "../../../pages.tsx";
import { noValues } from "../../../sentences.ts";
import { requireOperator } from "../../access.ts";
import { officeTitle } from "../../title.ts";
import { changeInstanceListAction, pollInstanceListAction } from "./actions.ts";

const texts = ["admin.lists"];

export const generateMetadata = officeTitle("lists");

export default async function InstanceListsPage() {
  const operator = await requireOperator();
  const [nav, t, errors, lists] = await Promise.all([
    getTranslations("admin.nav"),
    getTranslations("admin.lists"),
    getTranslations("errors"),
    getInstanceLists(operator),
  ]);
  const problemOf = ({ problem }: InstanceList): string | undefined => {
    const key = findErrorKey(problem?.code);
    return problem && key ? errors(key, { ...noValues, ...problem.params }) : undefined;
  };
  return (
    <>
      <PageHead heading={nav("lists")} note={t("note")}>
        <Button asChild>
          <Link href="/admin/lists/refused">{t("refused")}</Link>
        </Button>
      </PageHead>
      <Texts of={texts}>
        <div className="grid max-w-2xl gap-5">
          {instanceListKinds.map((kind) => (
            <InstanceListCard
              key={kind}
              list={lists[kind]}
              problem={problemOf(lists[kind])}
              change={changeInstanceListAction.bind(null, kind)}
              poll={pollInstanceListAction.bind(null, kind)}
            />
          ))}
        </div>
      </Texts>
    </>
  );
}
