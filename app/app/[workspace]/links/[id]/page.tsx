import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Board } from "#components/analytics/board";
import { DestinationCheckDetail } from "#components/links/destination-check";
import { LinkDetails } from "#components/links/link-details";
import { LinkHead } from "#components/links/link-head";
import { LinkHistory } from "#components/links/link-history";
import { LinkRetirement } from "#components/links/link-retirement";
import { type LinkState, statesOf } from "#components/links/link-state.ts";
import { withoutScheme } from "#components/links/names.ts";
import { CodeCard } from "#components/qr/code-card";
import { ShareDialog } from "#components/shares/share-dialog";
import { BackLink } from "#components/shell/back-link";
import { listAnnotations } from "#lib/analytics/annotations";
import { listShares } from "#lib/analytics/shares";
import { checksDestinations, getDestinationCheck } from "#lib/links/destination-checks";
import { listHistory } from "#lib/links/editing";
import type { Link } from "#lib/links/fields/schema";
import { readRetirement } from "#lib/links/lifetime";
import { listCreators } from "#lib/links/reading";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { isGuest } from "#lib/tenancy/access/schema";
import { type PageOf, Texts } from "../../../../pages.tsx";
import { createShareAction, revokeShareAction, showShareAction } from "../../analytics/actions.ts";
import { sourceOf } from "../../analytics/source.ts";
import { checkDestinationAction, listHistoryAction, restoreStateAction } from "../actions.ts";
import { editsOf } from "../edits.ts";
import {
  changeLinksAction,
  deleteOpenLinkAction,
  duplicateLinkAction,
  restoreLinksAction,
} from "../group-actions.ts";
import { markStates } from "../read-list.ts";
import { chooseRetirementAction } from "../retirement-actions.ts";
import { drawCode, readLink } from "./open-link.ts";

const texts = [
  "analytics",
  "calendar",
  "destinationCheck",
  "history",
  "linkForm.rules",
  "linkGroup",
  "linkPage",
  "links",
  "qr",
  "retirement",
  "shares",
];

export async function generateMetadata({ params }: PageOf<"workspace" | "id">): Promise<Metadata> {
  const { workspace, id } = await params;
  const { link } = await readLink(workspace, id);
  return { title: withoutScheme(link.shortLink) };
}

export default async function LinkPage({ params }: PageOf<"workspace" | "id">) {
  const { workspace, id } = await params;
  const { scope, link } = await readLink(workspace, id);
  const [t, shared, shares, picture, history, annotations, creators, [listed = link], retirement] =
    await Promise.all([
      getTranslations("linkPage"),
      getTranslations("shares"),
      listShares(scope),
      drawCode(scope, link.id),
      listHistory(scope, link.id),
      listAnnotations(scope),
      listCreators(scope, [link.id]),
      markStates(scope, [link]),
      readRetirement(scope, link.id),
    ]);
  const now = Date.now();
  const writes = scope.permissions.has("links.write");
  const listHref = `/app/${workspace}/links`;
  return (
    <Texts of={texts}>
      <BackLink href={listHref}>{t("back")}</BackLink>
      <LinkHead
        link={listed}
        now={now}
        listHref={listHref}
        edits={writes ? editsOf(workspace) : null}
        group={writes ? groupActions(workspace) : null}
      />
      {retirement ? (
        <LinkRetirement
          {...retirement}
          choose={writes ? chooseRetirementAction.bind(null, workspace, link.id) : null}
        />
      ) : null}
      <div className="mb-6 grid gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <LinkDetails
          link={link}
          creator={creators.get(link.id)}
          keysHref={
            scope.permissions.has("keys.read") ? `/app/${workspace}/settings/api-keys` : null
          }
        >
          <Check scope={scope} link={link} now={now} />
        </LinkDetails>
        <CodeCard
          picture={picture}
          address={`${link.shortLink}?qr=1`}
          href={`${listHref}/${link.id}/qr`}
        />
      </div>
      <Board
        source={sourceOf(scope)}
        annotations={{ list: annotations, actions: null }}
        about={{ linkId: link.id }}
        without={["links", "domains", "tags", "folders"]}
        heading={<h2 className="font-medium text-base">{t("analytics")}</h2>}
      >
        {writes ? (
          <ShareDialog
            shares={shares.filter(({ subjectId }) => subjectId === link.id)}
            subjects={[{ value: `link:${link.id}`, name: shared("thisLink") }]}
            createShare={createShareAction.bind(null, workspace)}
            showShare={showShareAction.bind(null, workspace)}
            revokeShare={revokeShareAction.bind(null, workspace)}
          />
        ) : null}
      </Board>
      {isGuest(scope) ? null : (
        <LinkHistory
          history={history}
          createdAt={link.createdAt}
          listHistory={listHistoryAction.bind(null, workspace, link.id)}
          restore={writes ? restoreStateAction.bind(null, workspace, link.id) : null}
        />
      )}
    </Texts>
  );
}

interface CheckProps {
  scope: WorkspaceScope;
  link: Link;
  now: number;
}

const unchecked: readonly LinkState[] = ["retired", "off", "ended", "scheduled"];

async function Check({ scope, link, now }: CheckProps) {
  if (!checksDestinations()) return null;
  const isOn = !statesOf(link, now).some((state) => unchecked.includes(state));
  const mayAsk = isOn && scope.permissions.has("links.write");
  return (
    <div className="mt-1.5">
      <DestinationCheckDetail
        check={await getDestinationCheck(scope, link.id)}
        checkAgain={mayAsk ? checkDestinationAction.bind(null, scope.slug, link.id) : null}
      />
    </div>
  );
}

function groupActions(workspace: string) {
  return {
    changeLinks: changeLinksAction.bind(null, workspace),
    deleteLinks: deleteOpenLinkAction.bind(null, workspace),
    restoreLinks: restoreLinksAction.bind(null, workspace),
    duplicateLink: duplicateLinkAction.bind(null, workspace),
  };
}
