import { notFound } from "next/navigation";
import { ImportView } from "#components/imports/import-view";
import { ListJobNote } from "#components/links/list-job";
import { listDomains } from "#lib/links/hosts";
import { findListJob } from "#lib/links/list-jobs";
import { AppError } from "#lib/platform/errors";
import { isFeatureOn } from "#lib/tenancy/features";
import { getImport } from "#lib/transfer/imports";
import { type PageOf, Texts, titleOf } from "../../../../pages.tsx";
import { requireScope } from "../../../access.ts";
import { addDomainAction } from "../../domains/actions.ts";
import { jobActionsFor } from "../../links/job-actions.ts";
import { undoImportAction } from "../actions.ts";

export const generateMetadata = titleOf("imports.heading");

const texts = ["imports", "linkForm.folderWords", "linkForm.tagWords", "listJob", "namePicker"];

export default async function ImportPage({ params }: PageOf<"workspace" | "id">) {
  const { workspace, id } = await params;
  const scope = await requireScope(workspace);
  const mayWrite = scope.permissions.has("links.write");
  const [found, domains, latest, domainsOn] = await Promise.all([
    getImport(scope, id).catch(missing),
    listDomains(scope),
    findListJob(scope),
    isFeatureOn("domains"),
  ]);
  const mayAddDomains = domainsOn && scope.permissions.has("domains.write");
  // Only the job that deletes the links of this import.
  const job = found.undoneAt !== null && latest?.kind === "delete" ? latest : undefined;
  return (
    <Texts of={texts}>
      <ImportView
        workspace={workspace}
        found={found}
        hosts={domains.map(({ slug }) => slug)}
        addDomain={mayAddDomains ? addDomainAction.bind(null, workspace) : null}
        mayWrite={mayWrite}
        undoImport={mayWrite ? undoImportAction.bind(null, workspace) : null}
        note={
          job ? <ListJobNote job={job} now={Date.now()} actions={jobActionsFor(workspace)} /> : null
        }
      />
    </Texts>
  );
}

function missing(error: unknown): never {
  if (error instanceof AppError && error.code === "not_found") notFound();
  throw error;
}
