import { UtmManager } from "#components/utm/utm-manager";
import { listUtmTemplates } from "#lib/links/utm";
import { type PageOf, Texts, titleOf } from "../../../../pages.tsx";
import { requireScope } from "../../../access.ts";
import { deleteUtmAction, saveUtmAction } from "./actions.ts";

export const generateMetadata = titleOf("utm.heading");

export default async function UtmPage({ params }: PageOf<"workspace">) {
  const { workspace } = await params;
  const scope = await requireScope(workspace);
  const may = scope.permissions.has("links.write");
  return (
    <Texts of={["linkForm.utm", "named", "utm"]}>
      <UtmManager
        templates={await listUtmTemplates(scope)}
        actions={
          may
            ? {
                save: saveUtmAction.bind(null, workspace),
                remove: deleteUtmAction.bind(null, workspace),
              }
            : null
        }
      />
    </Texts>
  );
}
