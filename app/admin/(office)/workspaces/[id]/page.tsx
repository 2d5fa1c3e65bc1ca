import type { Metadata } from "next";
import { WorkspaceView } from "#components/admin/workspace-view";
import { PageHead } from "#components/shell/page-head";
import { viewWorkspace } from "#lib/office/views";
import { requireOperator } from "../../../access.ts";
import { type ObjectPageProps, orMissing } from "../../../objects.ts";
import { officeMetadata } from "../../../title.ts";

export function generateMetadata(): Promise<Metadata> {
  return officeMetadata("search");
}

export default async function OfficeWorkspacePage({ params }: ObjectPageProps) {
  const operator = await requireOperator();
  const { id } = await params;
  const workspace = await orMissing(viewWorkspace(operator, id));
  return (
    <>
      <PageHead heading={workspace.name} />
      <WorkspaceView workspace={workspace} />
    </>
  );
}
