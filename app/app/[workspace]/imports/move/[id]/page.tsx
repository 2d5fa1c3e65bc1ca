import { notFound, redirect } from "next/navigation";
import { ImporterView } from "#components/importers/importer-view";
import { AppError } from "#lib/platform/errors";
import { getImporter } from "#lib/transfer/importers";
import { type PageOf, Texts, titleOf } from "../../../../../pages.tsx";
import { requireScope } from "../../../../access.ts";

export const generateMetadata = titleOf("importers.heading");

export default async function ImporterPage({ params }: PageOf<"workspace" | "id">) {
  const { workspace, id } = await params;
  const scope = await requireScope(workspace);
  const found = await getImporter(scope, id).catch(missing);
  if (found.importId) redirect(`/app/${workspace}/imports/${found.importId}`);
  const mayWrite = scope.permissions.has("links.write");
  return (
    <Texts of={["importers", "imports"]}>
      <ImporterView workspace={workspace} found={found} mayWrite={mayWrite} />
    </Texts>
  );
}

function missing(error: unknown): never {
  if (error instanceof AppError && error.code === "not_found") notFound();
  throw error;
}
