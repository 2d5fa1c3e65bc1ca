import { ListChecks } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { ListCard } from "#components/destinations/list-card";
import { RefusedReport } from "#components/destinations/refused-report";
import { ListJobNote } from "#components/links/list-job";
import { PageHead } from "#components/shell/page-head";
import { EmptyState } from "#components/ui/empty-state";
import { getDestinationLists } from "#lib/destinations/lists";
import { type DestinationList, listKinds } from "#lib/destinations/lists/schema";
import { findListJob } from "#lib/links/list-jobs";
import { findErrorKey } from "#lib/platform/messages";
import { type PageOf, Texts, titleOf } from "../../../../pages.tsx";
import { noValues } from "../../../../sentences.ts";
import { requireScope } from "../../../access.ts";
import { jobActionsFor } from "../../links/job-actions.ts";
import {
  addEntriesAction,
  disableRefusedAction,
  listRefusedAction,
  pollSourceAction,
  removeEntryAction,
  saveSourceAction,
} from "./actions.ts";

export const generateMetadata = titleOf("destinations.title");

export default async function DestinationsPage({ params }: PageOf<"workspace">) {
  const { workspace } = await params;
  const scope = await requireScope(workspace);
  const t = await getTranslations("destinations");
  if (!scope.permissions.has("destinations.write")) {
    return (
      <EmptyState icon={<ListChecks aria-hidden />} title={t("title")} wholePage>
        {t("notYours")}
      </EmptyState>
    );
  }
  const [lists, job, errors] = await Promise.all([
    getDestinationLists(scope),
    findListJob(scope),
    getTranslations("errors"),
  ]);
  const problemOf = ({ problem }: DestinationList): string | undefined => {
    const key = findErrorKey(problem?.code);
    return problem && key ? errors(key, { ...noValues, ...problem.params }) : undefined;
  };
  return (
    <Texts of={["destinations", "listJob"]}>
      <PageHead heading={t("title")} note={t("note")} />
      <div className="grid max-w-2xl gap-5">
        {lists.instance.allow || lists.instance.block ? (
          <p className="rounded-md bg-hover px-3 py-2 text-sm">{t("instance")}</p>
        ) : null}
        {listKinds.map((kind) => (
          <ListCard
            key={kind}
            list={lists[kind]}
            problem={problemOf(lists[kind])}
            add={addEntriesAction.bind(null, workspace, kind)}
            remove={removeEntryAction.bind(null, workspace, kind)}
            saveSource={saveSourceAction.bind(null, workspace, kind)}
            poll={pollSourceAction.bind(null, workspace, kind)}
          />
        ))}
        <RefusedReport
          list={listRefusedAction.bind(null, workspace)}
          disable={disableRefusedAction.bind(null, workspace)}
        />
        {job?.kind === "disable" || job?.kind === "enable" ? (
          <ListJobNote job={job} now={Date.now()} actions={jobActionsFor(workspace)} />
        ) : null}
      </div>
    </Texts>
  );
}
