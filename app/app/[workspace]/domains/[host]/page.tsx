import { domainToUnicode } from "node:url";
import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { DomainChanges } from "#components/domains/domain-changes";
import { DomainHead } from "#components/domains/domain-head";
import { DomainIcp } from "#components/domains/domain-icp";
import { DomainRecords } from "#components/domains/domain-records";
import { DomainSwitches } from "#components/domains/domain-switches";
import { DomainUrls } from "#components/domains/domain-urls";
import { BackLink } from "#components/shell/back-link";
import { getRequestHost } from "#lib/identity/auth";
import { adviseTraffic, getDomain, getVerification } from "#lib/links/domains";
import { countLeadingTo, countLinks } from "#lib/links/reading";
import { countLinksQuery, leadingLinksMax } from "#lib/links/reading/schema";
import { AppError } from "#lib/platform/errors";
import { listWorkspaces } from "#lib/tenancy/workspaces";
import type { PageOf } from "../../../../pages.ts";
import { Texts } from "../../../../texts.tsx";
import { requireScope } from "../../../access.ts";
import {
  deleteDomainAction,
  renameDomainAction,
  saveAddressesAction,
  saveIcpAction,
  switchDomainAction,
  transferDomainAction,
} from "../actions.ts";
import { DomainHealthSection } from "./health.tsx";

const openDomain = cache(async (workspace: string, host: string) => {
  const scope = await requireScope(workspace);
  try {
    return { scope, domain: await getDomain(scope, decodeURIComponent(host)) };
  } catch (error) {
    if (error instanceof URIError) notFound();
    if (error instanceof AppError && error.code === "not_found") notFound();
    throw error;
  }
});

export async function generateMetadata({
  params,
}: PageOf<"workspace" | "host">): Promise<Metadata> {
  const { workspace, host } = await params;
  const { domain } = await openDomain(workspace, host);
  return { title: domainToUnicode(domain.slug) };
}

export default async function DomainPage({ params }: PageOf<"workspace" | "host">) {
  const { workspace, host } = await params;
  const { scope, domain } = await openDomain(workspace, host);
  const { slug } = domain;
  const [t, verification, links, leading, workspaces] = await Promise.all([
    getTranslations("domains"),
    getVerification(scope, slug),
    countLinks(scope, countLinksQuery.parse({ domain: slug, showArchived: "true" })),
    countLeadingTo(scope, slug),
    listWorkspaces(String(scope.userId)),
  ]);
  const advice = adviseTraffic(await getRequestHost()) ?? null;
  const writes = scope.permissions.has("domains.write");
  const others = workspaces.filter(
    ({ id, role }) => id !== scope.workspaceId && (role === "owner" || role === "admin"),
  );
  return (
    <Texts of={["domainHealth", "domains"]}>
      <BackLink href={`/app/${workspace}/domains`}>{t("heading")}</BackLink>
      <DomainHead
        host={slug}
        written={domainToUnicode(slug)}
        state={verification.state}
        primary={domain.primary}
        archived={domain.archived}
      />
      <div className="grid max-w-3xl gap-5">
        <DomainRecords
          workspace={workspace}
          host={slug}
          initial={verification}
          mayCheck={writes}
          advice={advice}
        />
        {leading > 0 && verification.state !== "pending" ? (
          <LeadingLinks workspace={workspace} host={slug} count={leading} />
        ) : null}
        {verification.state === "pending" ? null : (
          <DomainHealthSection scope={scope} host={slug} />
        )}
        <DomainUrls
          domain={domain}
          save={writes ? saveAddressesAction.bind(null, workspace, slug) : null}
        />
        {writes ? (
          <>
            <DomainIcp icp={domain.icp ?? ""} save={saveIcpAction.bind(null, workspace, slug)} />
            <DomainSwitches domain={domain} edit={switchDomainAction.bind(null, workspace, slug)} />
            <DomainChanges
              host={slug}
              links={Number(links)}
              path={`/app/${workspace}/domains`}
              workspaces={others.map(({ id, name }) => ({ id, name }))}
              rename={renameDomainAction.bind(null, workspace, slug)}
              transfer={transferDomainAction.bind(null, workspace, slug)}
              remove={deleteDomainAction.bind(null, workspace, slug)}
            />
          </>
        ) : null}
      </div>
    </Texts>
  );
}

interface LeadingLinksProps {
  workspace: string;
  host: string;
  count: number;
}

/** Links to a host that became a domain later: their visitors are redirected again. */
async function LeadingLinks({ workspace, host, count }: LeadingLinksProps) {
  const t = await getTranslations("domains");
  const search = new URLSearchParams({ search: `//${host}`, archived: "true" });
  return (
    <p role="note" className="text-sm text-warning">
      {t(count < leadingLinksMax ? "leading" : "leadingMany", { count, host })}{" "}
      <Link className="underline" href={`/app/${workspace}/links?${search}`}>
        {t("leadingShow")}
      </Link>
    </p>
  );
}
