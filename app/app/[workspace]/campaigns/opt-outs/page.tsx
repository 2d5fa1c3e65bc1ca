import { OptOutManager } from "#components/campaigns/opt-out-manager";
import { listOptOuts } from "#lib/outreach/opt-outs";
import {
  listOptOutsQuery,
  optOutPhonesPerForm,
  optOutPhonesUnseen,
} from "#lib/outreach/opt-outs/schema";
import { type ListPageOf, Texts, titleOf } from "../../../../pages.tsx";
import { requireScope } from "../../../access.ts";
import { addOptOutsAction, deleteOptOutAction, findOptOutAction } from "./actions.ts";

export const generateMetadata = titleOf("optOuts.heading");

export default async function OptOutsPage({ params, searchParams }: ListPageOf<"workspace">) {
  const [{ workspace }, asked] = await Promise.all([params, searchParams]);
  const scope = await requireScope(workspace);
  const given = listOptOutsQuery.safeParse({ startingAfter: asked.after });
  const query = given.success ? given.data : listOptOutsQuery.parse({});
  const optOuts = await listOptOuts(scope, query);
  const path = `/app/${workspace}/campaigns/opt-outs`;
  const last = optOuts.length === query.pageSize ? optOuts.at(-1) : undefined;
  const mayEdit = scope.permissions.has("campaigns.write");
  const seesPeople = scope.permissions.has("people.view");
  return (
    <Texts of={["optOuts"]}>
      <OptOutManager
        optOuts={optOuts}
        zone={scope.zone}
        pages={{
          first: query.startingAfter === undefined ? undefined : path,
          next: last ? `${path}?after=${last.id}` : undefined,
        }}
        exportUrl={seesPeople ? `/api/opt-outs/export?${new URLSearchParams({ workspace })}` : null}
        find={seesPeople ? findOptOutAction.bind(null, workspace) : null}
        add={mayEdit ? addOptOutsAction.bind(null, workspace) : null}
        phonesPerCall={seesPeople ? optOutPhonesPerForm : optOutPhonesUnseen}
        remove={mayEdit && seesPeople ? deleteOptOutAction.bind(null, workspace) : null}
      />
    </Texts>
  );
}
