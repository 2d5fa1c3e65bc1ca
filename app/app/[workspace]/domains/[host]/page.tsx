import { domainToUnicode } from "node:url";
import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { useTranslations } from "next-intl";
import { getLocale, getTranslations } from "next-intl/server";
import { cache } from "react";
import { DismissAlarm } from "#components/domains/dismiss-alarm";
import { DomainAlarmNote } from "#components/domains/domain-alarm";
import { DomainChanges } from "#components/domains/domain-changes";
import { DomainHealthCard } from "#components/domains/domain-health";
import { DomainIcp } from "#components/domains/domain-icp";
import { DomainRecords } from "#components/domains/domain-records";
import { DomainSwitches } from "#components/domains/domain-switches";
import { DomainUrls } from "#components/domains/domain-urls";
import { StateBadge } from "#components/domains/state-badge";
import { BackLink } from "#components/shell/back-link";
import { Badge } from "#components/ui/badge";
import { getDomainHealth } from "#lib/analytics/domain-health";
import { getRequestHost } from "#lib/identity/auth";
import { adviseTraffic, getDomain, getVerification } from "#lib/links/domains";
import type { Verification } from "#lib/links/domains/schema";
import { countLeadingTo, countLinks } from "#lib/links/reading";
import { countLinksQuery, leadingLinksMax } from "#lib/links/reading/schema";
import { AppError } from "#lib/platform/errors";
import { appLabel } from "#lib/platform/request-info/schema";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listWorkspaces } from "#lib/tenancy/workspaces";
import { type PageOf, Texts } from "../../../../pages.tsx";
import { requireScope, requireUser } from "../../../access.ts";
import * as actions from "../actions.ts";

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
  const user = await requireUser();
  const [t, verification, links, leading, workspaces] = await Promise.all([
    getTranslations("domains"),
    getVerification(scope, slug),
    countLinks(scope, countLinksQuery.parse({ domain: slug, showArchived: "true" })),
    countLeadingTo(scope, slug),
    listWorkspaces(user.id, user.ssoWorkspacePk),
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
        {verification.state === "pending" ? null : (
          <p className="text-sm">
            <Link
              className="text-accent underline"
              href={`/app/${workspace}/links/missed?domain=${encodeURIComponent(slug)}`}
            >
              {t("missed")}
            </Link>
          </p>
        )}
        <DomainUrls
          domain={domain}
          save={writes ? actions.saveAddressesAction.bind(null, workspace, slug) : null}
        />
        {writes ? (
          <>
            <DomainIcp
              icp={domain.icp ?? ""}
              save={actions.saveIcpAction.bind(null, workspace, slug)}
            />
            <DomainSwitches
              domain={domain}
              edit={actions.switchDomainAction.bind(null, workspace, slug)}
            />
            <DomainChanges
              host={slug}
              links={Number(links)}
              path={`/app/${workspace}/domains`}
              workspaces={others.map(({ id, name }) => ({ id, name }))}
              rename={actions.renameDomainAction.bind(null, workspace, slug)}
              transfer={actions.transferDomainAction.bind(null, workspace, slug)}
              remove={actions.deleteDomainAction.bind(null, workspace, slug)}
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

/** Warns about links to a host that became a domain later, because their visitors are redirected again. */
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

async function DomainHealthSection({ scope, host }: { scope: WorkspaceScope; host: string }) {
  const [health, locale] = await Promise.all([getDomainHealth(scope, host), getLocale()]);
  const { slug, permissions } = scope;
  const writes = permissions.has("domains.write");
  return (
    <DomainHealthCard
      health={health}
      alarms={health.alarms.map((alarm) => (
        <DomainAlarmNote
          key={alarm.app}
          alarm={alarm}
          host={host}
          defaultPath={writes ? `/app/${slug}/settings` : null}
          dismiss={
            writes ? (
              <DismissAlarm
                app={appLabel(alarm.app, locale === "zh" ? "zh" : "en")}
                dismiss={actions.dismissAlarmAction.bind(null, slug, host, alarm.app)}
              />
            ) : null
          }
        />
      ))}
    />
  );
}

interface DomainHeadProps {
  host: string;
  written: string;
  state: Verification["state"];
  primary: boolean;
  archived: boolean;
}

function DomainHead({ host, written, state, primary, archived }: DomainHeadProps) {
  const t = useTranslations("domains");
  return (
    <div className="mb-5 grid gap-1">
      <div className="flex flex-wrap items-center gap-2">
        <h1 className="min-w-0 break-all font-semibold text-xl tracking-tight">{written}</h1>
        <StateBadge state={state} />
        {primary ? <Badge>{t("primary")}</Badge> : null}
        {archived ? <Badge>{t("archived")}</Badge> : null}
      </div>
      {/* Similar letters are distinguishable in this form. */}
      {written === host ? null : <p className="break-all text-ink-muted text-sm">{host}</p>}
    </div>
  );
}
