import { Link2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import { LinkActions } from "#components/admin/link-actions";
import { Filters, MoreButton } from "#components/admin/list-parts";
import { OfficeLink, useMoment } from "#components/admin/tables";
import { PageHead } from "#components/shell/page-head";
import { Badge } from "#components/ui/badge";
import { EmptyState } from "#components/ui/empty-state";
import { InputField } from "#components/ui/labeled";
import { bareUrl } from "#lib/basics/urls/schema";
import { listOfficeLinks } from "#lib/office/links";
import { type FoundOfficeLink, officeLinksQuery } from "#lib/office/links/schema";
import type { PageQuery } from "../../../pages.tsx";
import { requireOperator } from "../../access.ts";
import { nextPage, readFilter } from "../../filter.ts";
import { officeTitle } from "../../title.ts";
import { disableLinkAction } from "./actions.ts";

const path = "/admin/links";

export const generateMetadata = officeTitle("links");

export default async function OfficeLinksPage({ searchParams }: PageQuery) {
  const operator = await requireOperator();
  const filter = readFilter(officeLinksQuery, await searchParams);
  const { destination = "", from } = filter;
  const [nav, t, { links, next }] = await Promise.all([
    getTranslations("admin.nav"),
    getTranslations("admin.links"),
    listOfficeLinks(operator, filter),
  ]);
  return (
    <>
      <PageHead heading={nav("links")} note={t("note")} />
      <Filters path={path} from={from} filtered={Boolean(destination || from)}>
        <InputField
          label={t("destination")}
          placeholder={t("destinationExample")}
          outerClass="min-w-64 flex-1"
          name="destination"
          type="search"
          maxLength={2_048}
          autoComplete="off"
          spellCheck={false}
          defaultValue={destination}
        />
      </Filters>
      {links.length > 0 ? (
        <ul
          aria-label={nav("links")}
          className="divide-y divide-line rounded-xl border border-line bg-surface"
        >
          {links.map((link) => (
            <LinkRow key={link.id} link={link} />
          ))}
        </ul>
      ) : (
        <EmptyState icon={<Link2 aria-hidden />} title={t(next === null ? "none" : "noneYet")}>
          {t(next === null ? "noneText" : "noneYetText")}
        </EmptyState>
      )}
      <MoreButton href={nextPage(path, filter, next)}>{t("more")}</MoreButton>
    </>
  );
}

const stateTones = new Map([
  ["active", "green"],
  ["banned", "red"],
]);
/** These links stay as they are when someone turns them off. */
const stopped = ["disabled", "banned", "retired"];

function LinkRow({ link }: { link: FoundOfficeLink }) {
  const states = useTranslations("admin.linkStates");
  const moment = useMoment();
  const { id, shortLink, url, state, workspace, createdAt } = link;
  return (
    <li className="grid gap-1 px-4 py-3 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 break-all font-medium">
          <OfficeLink href={`${path}/${id}`}>{bareUrl(shortLink)}</OfficeLink>
        </span>
        <Badge tone={stateTones.get(state) ?? "gray"}>{states(state)}</Badge>
      </p>
      {/* As text only: administrators must not open it by accident. */}
      <p className="line-clamp-2 break-all">{url}</p>
      <p className="flex flex-wrap gap-x-2 text-ink-muted">
        <OfficeLink href={`/admin/workspaces/${workspace.id}`}>{workspace.name}</OfficeLink>
        <time dateTime={createdAt}>{moment(createdAt)}</time>
      </p>
      <div className="mt-1">
        <LinkActions
          link={link}
          workspace={workspace}
          disable={stopped.includes(state) ? null : disableLinkAction.bind(null, id)}
        />
      </div>
    </li>
  );
}
