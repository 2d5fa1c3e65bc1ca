import { ShieldAlert } from "lucide-react";
import Link from "next/link";
import { notFound } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { ConfirmEmailBanner } from "#components/accounts/confirm-email-banner";
import { PendingLink } from "#components/links/pending-link";
import { ClaimBanner } from "#components/onboarding/claim-part.ts";
import { DemoBanner } from "#components/onboarding/demo-part.ts";
import { FirstSteps, type FirstStepsProps } from "#components/onboarding/first-steps";
import { PlanLocks } from "#components/plans/locked";
import { AppShell } from "#components/shell/app-shell";
import type { PagePermissions } from "#components/shell/page-list.ts";
import { listDomains } from "#lib/links/hosts";
import { countClaimable } from "#lib/links/public-links";
import { listLinks } from "#lib/links/reading";
import { listLinksQuery } from "#lib/links/reading/schema";
import { isMailConfigured } from "#lib/platform/config";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { isGuest } from "#lib/tenancy/access/schema";
import { noticeTokenOf } from "#lib/tenancy/ban-recipients";
import { findActiveBan } from "#lib/tenancy/bans";
import { listNotifications } from "#lib/tenancy/notifications";
import { findSteps } from "#lib/tenancy/onboarding";
import { listLocked } from "#lib/tenancy/plans";
import { graceDays, listWorkspaces } from "#lib/tenancy/workspaces";
import { Announcements } from "../../announcements.tsx";
import { Texts } from "../../pages.tsx";
import { findPendingUrl } from "../../pending-url.ts";
import { chooseLocale, chooseTheme } from "../../preference-actions.ts";
import { getTheme } from "../../preferences.ts";
import { proofActions } from "../../proof.ts";
import { findMakerSecret } from "../../public-link-cookie.ts";
import { requireReader, requireUser } from "../access.ts";
import { confirmOwnEmailAction } from "../account/actions.ts";
import {
  claimLinksAction,
  closeStepsAction,
  createPendingLinkAction,
  dismissClaimAction,
  listNotificationsAction,
  markNotificationsReadAction,
} from "./frame-actions.ts";
import { GuestFrame } from "./guest-frame.tsx";
import { createLinkAction, findLinksAction } from "./links/actions.ts";
import { readRetirementDefaultAction } from "./links/retirement-actions.ts";
import { deleteWorkspaceAction } from "./settings/actions.ts";

const texts = [
  "announcements",
  "languages",
  "linkForm.creator",
  "notices",
  "planLock",
  "shell",
  "themes",
];

function pagePermissions({ permissions }: WorkspaceScope): PagePermissions {
  return {
    readsCampaigns: permissions.has("campaigns.read"),
    readsWebhooks: permissions.has("webhooks.read"),
    readsAudit: permissions.has("audit.read"),
    managesDestinations: permissions.has("destinations.write"),
    managesWorkspace: permissions.has("workspace.write"),
    mayExport: permissions.has("workspace.export"),
  };
}

interface WorkspaceLayoutProps {
  children: ReactNode;
  params: Promise<{ workspace: string }>;
}

export default async function WorkspaceLayout({ children, params }: WorkspaceLayoutProps) {
  const { workspace: slug } = await params;
  const scope = await requireReader(slug);
  const Frame = isGuest(scope) ? GuestFrame : MemberFrame;
  return <Frame scope={scope}>{children}</Frame>;
}

async function MemberFrame({ scope, children }: { scope: WorkspaceScope; children: ReactNode }) {
  const { slug } = scope;
  const user = await requireUser();
  const [theme, pendingUrl, workspaces, domains, notifications, steps] = await Promise.all([
    getTheme(),
    findPendingUrl(),
    listWorkspaces(user.id, user.ssoWorkspacePk),
    listDomains(scope),
    listNotifications(scope),
    findSteps(scope),
  ]);
  const current = workspaces.find((one) => one.slug === slug) ?? notFound();
  const mayCreate = scope.permissions.has("links.write") && !current.demo;
  return (
    <Texts of={texts}>
      <PlanLocks locked={listLocked(scope)} path={`/app/${slug}/settings/plan`}>
        <AppShell
          current={{ name: current.name, slug }}
          workspaces={workspaces.map((one) => ({ name: one.name, slug: one.slug }))}
          user={{ name: user.name, email: user.email }}
          operator={user.operator}
          preferences={{ theme, chooseTheme, chooseLocale }}
          proof={proofActions()}
          {...pagePermissions(scope)}
          bell={{
            notifications,
            poll: listNotificationsAction.bind(null, slug),
            markRead: markNotificationsReadAction.bind(null, slug),
            base: `/app/${slug}`,
          }}
          hosts={domains.map((domain) => domain.slug)}
          zone={scope.zone}
          createLink={
            scope.permissions.has("links.write") ? createLinkAction.bind(null, slug) : null
          }
          readRetirementDefault={readRetirementDefaultAction.bind(null, slug)}
          findLinks={findLinksAction.bind(null, slug)}
        >
          <Announcements />
          <Banned scope={scope} />
          {user.confirmed || !isMailConfigured() ? null : (
            <Texts of={["security.confirm"]}>
              <ConfirmEmailBanner email={user.email} confirm={confirmOwnEmailAction} />
            </Texts>
          )}
          {current.demo ? (
            <Texts of={["demo"]}>
              <DemoBanner
                own={workspaces.find((one) => !one.demo)?.slug ?? null}
                days={graceDays}
                remove={
                  scope.permissions.has("workspace.delete")
                    ? deleteWorkspaceAction.bind(null, slug)
                    : null
                }
              />
            </Texts>
          ) : null}
          {mayCreate ? <Claimable scope={scope} /> : null}
          {steps ? (
            <Texts of={["steps"]}>
              <FirstSteps
                steps={steps}
                base={`/app/${slug}`}
                shortLink={await findLinkToOpen(scope, steps)}
                close={closeStepsAction.bind(null, slug)}
              />
            </Texts>
          ) : null}
          {children}
          {mayCreate ? (
            <PendingLink
              waiting={pendingUrl !== undefined}
              make={createPendingLinkAction.bind(null, slug)}
            />
          ) : null}
        </AppShell>
      </PlanLocks>
    </Texts>
  );
}

/** For the step after creating a link: the newest link, until one has been clicked. */
async function findLinkToOpen(
  scope: WorkspaceScope,
  { link, click }: FirstStepsProps["steps"],
): Promise<string | undefined> {
  if (!link || click) return undefined;
  const [newest] = await listLinks(scope, listLinksQuery.parse({ pageSize: 1 }));
  return newest?.shortLink;
}

/** Links that this browser created without an account. */
async function Claimable({ scope: { slug } }: { scope: WorkspaceScope }) {
  const count = await countClaimable(await findMakerSecret());
  if (count === 0) return null;
  return (
    <Texts of={["claim"]}>
      <ClaimBanner
        count={count}
        claim={claimLinksAction.bind(null, slug)}
        dismiss={dismissClaimAction.bind(null, slug)}
      />
    </Texts>
  );
}

async function Banned({ scope }: { scope: WorkspaceScope }) {
  const ban = scope.banned ? await findActiveBan("workspace", scope.workspaceId) : undefined;
  if (!ban) return null;
  const isOwner = scope.role === "owner" && scope.userId !== null;
  return (
    <BannedBanner
      reason={ban.note}
      appeal={isOwner ? `/appeal?token=${noticeTokenOf(ban.id, scope.userId)}` : null}
      exports={
        scope.permissions.has("workspace.export") ? `/app/${scope.slug}/settings/export` : null
      }
    />
  );
}

interface BannedBannerProps {
  reason: string;
  /** Where an owner can appeal; null for others. */
  appeal: string | null;
  /** Where the data can be exported; null for people who may not. */
  exports: string | null;
}

function BannedBanner({ reason, appeal, exports: target }: BannedBannerProps) {
  const t = useTranslations("banned");
  return (
    <div
      role="status"
      className="mb-5 grid gap-2 rounded-lg border border-danger/40 bg-danger/5 px-4 py-3 text-sm"
    >
      <p className="flex items-center gap-2 font-medium">
        <ShieldAlert aria-hidden className="size-4 shrink-0 text-danger" />
        {t("title")}
      </p>
      <p className="break-words">{t("text", { reason })}</p>
      <p className="flex flex-wrap gap-4">
        {appeal ? (
          <a className="underline" href={appeal}>
            {t("appeal")}
          </a>
        ) : null}
        {target ? (
          <Link className="underline" href={target}>
            {t("export")}
          </Link>
        ) : null}
      </p>
    </div>
  );
}
