/**
 * For tests of server actions: who may call each of them, and a valid call. An action that is missing here fails
 * app/actions.db.test.ts.
 */
import { newId } from "#lib/basics/ids";
import type { Role } from "#lib/tenancy/access/schema";
import type { TestSubjects } from "./api-subjects.ts";
import { campaignActions } from "./campaign-actions.ts";
import { form } from "./form.ts";
import { sendingActions } from "./sending-actions.ts";
import { webhookActions } from "./webhook-actions.ts";

export interface ActionExample {
  /** The lowest role that may; `person`: everyone who is signed in; `anyone`: also without a session. */
  who: Role | "person" | "anyone";
  /** The arguments after the workspace’s slug, or all of them where there is none. */
  given: (subjects: TestSubjects) => unknown[];
  /** The objects among them. */
  names?: readonly (keyof TestSubjects)[];
  /** The answer to those who may, where it is not a success. */
  answer?: string;
}

const url = "https://example.com/";
const link: readonly (keyof TestSubjects)[] = ["link"];
const domain: readonly (keyof TestSubjects)[] = ["domain"];
const nothing = () => [];
const annotation = { at: "2026-06-01T09:30", timezone: "UTC", text: "Newsletter sent" };

function reportOptions({ folder }: TestSubjects) {
  return { kind: "folder", subjectId: folder, frequency: "weekly", locale: "en" };
}

function reportForm(it: TestSubjects) {
  const report = { ...reportOptions(it), userIds: [], emails: ["eve@elsewhere.example"] };
  return form({ report: JSON.stringify(report) });
}

/** Actions of a workspace: their first argument is its slug. */
export const workspaceActions: Record<string, ActionExample> = {
  createShareAction: {
    who: "member",
    given: (it) => [form({ name: "Share", subject: `link:${it.link}`, parts: "figures" })],
    names: link,
  },
  showShareAction: { who: "member", given: () => [newId("share")], answer: "notFound" },
  revokeShareAction: { who: "member", given: () => [newId("share")], answer: "notFound" },
  createAnnotationAction: { who: "member", given: () => [annotation] },
  editAnnotationAction: {
    who: "member",
    given: () => [newId("note"), annotation],
    answer: "notFound",
  },
  deleteAnnotationAction: { who: "member", given: () => [newId("note")], answer: "notFound" },
  setAlertsAction: { who: "admin", given: () => [{ riseTimes: 3, fallPercent: null }] },
  createReportAction: { who: "member", given: (it) => [reportForm(it)], names: ["folder"] },
  editReportAction: {
    who: "member",
    given: (it) => [newId("rep"), reportForm(it)],
    answer: "notFound",
  },
  deleteReportAction: { who: "member", given: () => [newId("rep")], answer: "notFound" },
  previewReportAction: {
    who: "member",
    given: (it) => [reportOptions(it)],
    names: ["folder"],
  },
  saveProviderAction: {
    who: "admin",
    given: () => [form({ name: "SSO", issuer: url, clientId: "fuxi", secret: "s" })],
    answer: "ssoUnreachable",
  },
  removeProviderAction: { who: "admin", given: nothing, answer: "notFound" },
  saveAccessAction: {
    who: "admin",
    given: () => [form({ defaultRole: "viewer", group1: "staff", role1: "member" })],
    answer: "notFound",
  },
  addSsoDomainAction: {
    who: "admin",
    given: () => [form({ host: "example.com" })],
    answer: "notFound",
  },
  verifySsoDomainAction: { who: "admin", given: () => ["example.com"], answer: "notFound" },
  removeSsoDomainAction: { who: "admin", given: () => ["example.com"], answer: "notFound" },
  addEntriesAction: {
    who: "admin",
    given: () => ["block", form({ entries: "blocked.example" })],
  },
  removeEntryAction: { who: "admin", given: () => ["block", "blocked.example"] },
  saveSourceAction: { who: "admin", given: () => ["block", form({})] },
  pollSourceAction: { who: "admin", given: () => ["block"] },
  listRefusedAction: { who: "viewer", given: () => [""] },
  disableRefusedAction: { who: "admin", given: nothing },
  addDomainAction: { who: "admin", given: (it) => [form({ slug: `new.${it.domain}` })] },
  renameDomainAction: {
    who: "admin",
    given: (it) => [it.domain, form({ slug: `renamed-${it.domain}` })],
    names: domain,
  },
  saveIcpAction: { who: "admin", given: (it) => [it.domain, form({})], names: domain },
  saveAddressesAction: { who: "admin", given: (it) => [it.domain, form({})], names: domain },
  switchDomainAction: {
    who: "admin",
    given: (it) => [it.domain, { archived: true }],
    names: domain,
  },
  transferDomainAction: {
    who: "admin",
    given: (it) => [it.domain, form({ workspaceId: it.otherWorkspace })],
    names: domain,
  },
  dismissAlarmAction: { who: "admin", given: (it) => [it.domain, "wechat"], names: domain },
  deleteDomainAction: { who: "admin", given: (it) => [it.domain], names: domain },
  createLinkAction: { who: "member", given: () => [form({ link: JSON.stringify({ url }) })] },
  editLinkAction: {
    who: "member",
    given: (it) => [form({ id: it.link, link: JSON.stringify({ title: "New" }) })],
    names: link,
  },
  findLinksAction: { who: "viewer", given: (it) => [it.key], names: ["key"] },
  changeLinksAction: {
    who: "member",
    given: (it) => [[{ linkIds: [it.link], archived: true }]],
    names: link,
  },
  deleteLinksAction: { who: "member", given: (it) => [[it.link]], names: link },
  deleteOpenLinkAction: { who: "member", given: (it) => [[it.link]], names: link },
  restoreLinksAction: { who: "member", given: (it) => [[it.link]], names: link },
  startListJobAction: {
    who: "member",
    given: () => ["search=nothing-has-this-text", { archived: true }],
  },
  previewReplaceHostAction: {
    who: "member",
    given: (it) => [[it.link], { from: "old.example", to: "new.example" }],
    names: link,
  },
  undoListJobAction: { who: "member", given: () => [newId("listJob")], answer: "notFound" },
  dismissListJobAction: { who: "viewer", given: () => [newId("listJob")] },
  createViewAction: {
    who: "viewer",
    given: () => [{ name: "View", search: "status=active", shared: false }],
  },
  deleteImageAction: {
    who: "admin",
    given: (it) => [it.socialImage],
    names: ["socialImage"],
  },
  ...sendingActions,
  ...webhookActions,
  deleteViewAction: { who: "viewer", given: () => [newId("view")], answer: "notFound" },
  undoImportAction: { who: "member", given: () => [newId("import")], answer: "notFound" },
  duplicateLinkAction: { who: "member", given: (it) => [it.link], names: link },
  listHistoryAction: { who: "viewer", given: (it) => [it.link, ""], names: link },
  restoreStateAction: {
    who: "member",
    given: (it) => [it.link, null, -1],
    names: link,
    answer: "changedMeanwhile",
  },
  undoEditAction: {
    who: "member",
    given: (it) => [it.link, ""],
    names: link,
    answer: "changedMeanwhile",
  },
  listNotificationsAction: { who: "viewer", given: nothing },
  markNotificationsReadAction: { who: "viewer", given: nothing },
  closeStepsAction: { who: "viewer", given: nothing },
  createPendingLinkAction: { who: "viewer", given: nothing },
  claimLinksAction: { who: "member", given: nothing },
  dismissClaimAction: { who: "viewer", given: nothing },
  saveWorkspaceAction: {
    who: "admin",
    given: () => [
      form({
        name: "Same",
        slug: "ada-space",
        zone: "UTC",
        lifetimeSeconds: "never",
        reuseSeconds: "86400",
        repeatSeconds: "60",
        contactDays: "365",
      }),
    ],
  },
  chooseDomainAction: { who: "admin", given: (it) => [it.domain], names: domain },
  saveSessionsAction: {
    who: "admin",
    given: () => [form({ sessionIdleMinutes: "inherited", sessionHours: "336" })],
  },
  saveRetirementAction: {
    who: "admin",
    given: () => [
      form({ retireApiDays: "inherited", retirePeopleDays: "365", retireFrom: "creation" }),
    ],
  },
  saveOwnVisitsAction: {
    who: "admin",
    given: () => [form({ ownNetworks: "203.0.113.0/24\n2001:db8::7" })],
  },
  saveCodesAction: {
    who: "admin",
    given: () => [form({ codeCountries: "CN, GB", codesPerDay: "200" })],
  },
  keepRetiringAction: { who: "admin", given: nothing },
  readRetirementDefaultAction: { who: "viewer", given: (it) => [it.link], names: link },
  // The test environment fetches nothing.
  checkDestinationAction: {
    who: "member",
    given: (it) => [it.link],
    names: link,
    answer: "destinationsUnchecked",
  },
  chooseRetirementAction: { who: "member", given: (it) => [it.link, "keep"], names: link },
  deleteWorkspaceAction: { who: "owner", given: nothing },
  createKeyAction: {
    who: "admin",
    given: () => [form({ name: "New", access: "read", life: "30" })],
  },
  editKeyAction: {
    who: "admin",
    given: (it) => [it.apiKey, form({ name: "Renamed", access: "read", life: "keep" })],
    names: ["apiKey"],
  },
  rotateKeyAction: {
    who: "admin",
    given: (it) => [it.apiKey, form({ overlap: "3600" })],
    names: ["apiKey"],
  },
  keepKeyAction: { who: "admin", given: (it) => [it.apiKey], names: ["apiKey"] },
  resumeKeyAction: { who: "admin", given: (it) => [it.apiKey], names: ["apiKey"] },
  revokeKeyAction: { who: "admin", given: (it) => [it.apiKey], names: ["apiKey"] },
  ...campaignActions,
  startExportAction: { who: "admin", given: nothing },
  // No plans are sold here.
  startCheckoutAction: { who: "admin", given: () => ["personal month eur"], answer: "notOffered" },
  openPortalAction: { who: "admin", given: nothing, answer: "notOffered" },
  saveFolderAction: {
    who: "member",
    given: (it) => [form({ id: it.folder, name: `Renamed ${it.folder}`, accessLevel: "none" })],
    names: ["folder"],
  },
  deleteFolderAction: { who: "member", given: (it) => [it.folder], names: ["folder"] },
  inviteAction: { who: "admin", given: () => [form({ email: "new@example.com", role: "viewer" })] },
  revokeInvitationAction: { who: "admin", given: () => [newId("inv")], answer: "notFound" },
  changeRoleAction: {
    who: "admin",
    given: (it) => [it.user, "viewer"],
    names: ["user"],
    answer: "lastOwner",
  },
  removeMemberAction: {
    who: "admin",
    given: (it) => [it.user, false],
    names: ["user"],
    answer: "lastOwner",
  },
  transferAction: { who: "owner", given: (it) => [it.user], names: ["user"] },
  leaveAction: { who: "viewer", given: nothing, answer: "lastOwner" },
  saveTagAction: {
    who: "member",
    given: (it) => [form({ id: it.tag, name: `Renamed ${it.tag}`, color: "red" })],
    names: ["tag"],
  },
  deleteTagAction: { who: "member", given: (it) => [it.tag], names: ["tag"] },
  saveUtmAction: {
    who: "member",
    given: (it) => [form({ id: it.utm, name: `Renamed ${it.utm}` })],
    names: ["utm"],
  },
  deleteUtmAction: { who: "member", given: (it) => [it.utm], names: ["utm"] },
};

/** Actions without a workspace. Some refresh the pages of one, whose slug is their first argument. */
export const personalActions: Record<string, ActionExample> = {
  changeNameAction: { who: "person", given: () => [form({ name: "Ada" })] },
  changeEmailAction: { who: "person", given: () => [form({ email: "x@example.com" })] },
  sendSignInAction: { who: "person", given: nothing },
  findProofAction: { who: "person", given: nothing },
  proveAction: { who: "person", given: () => [form({})] },
  confirmOwnEmailAction: { who: "person", given: nothing },
  changePasswordAction: { who: "person", given: () => [form({ passwordNext: "a new password" })] },
  beginFactorAction: { who: "person", given: nothing },
  confirmFactorAction: { who: "person", given: () => [form({ code: "000000" })] },
  renewRecoveryAction: { who: "person", given: () => [form({ code: "000000" })] },
  dropFactorAction: { who: "person", given: () => [form({ code: "000000" })] },
  beginPasskeyAction: { who: "person", given: nothing },
  addPasskeyAction: { who: "person", given: () => [form({ name: "Laptop", answer: "{}" })] },
  removePasskeyAction: { who: "person", given: () => [newId("passkey")] },
  askPasskeyAction: { who: "anyone", given: nothing },
  askFactorPasskeyAction: { who: "anyone", given: nothing },
  finishByPasskeyAction: { who: "anyone", given: () => ["{}"] },
  askPresenceAction: { who: "person", given: nothing },
  provePasskeyAction: { who: "person", given: () => ["{}"] },
  endSessionAction: { who: "person", given: () => [newId("sess")] },
  endOthersAction: { who: "person", given: nothing },
  deleteAccountAction: { who: "person", given: () => [form({ passwordNow: "x" })] },
  createWorkspaceAction: { who: "person", given: () => [form({ name: "New", slug: "new-one" })] },
  restoreWorkspaceAction: { who: "person", given: (it) => [it.workspace] },
  confirmEmailAction: { who: "person", given: () => ["x"] },
  openByExceptionAction: { who: "person", given: () => ["no-such-workspace"] },
  connectAction: { who: "person", given: nothing },
  findSsoAction: { who: "anyone", given: () => [form({ word: "example.com" })] },
  acceptInvitationAction: { who: "person", given: () => ["x"] },
  requestEmailAction: { who: "anyone", given: () => ["reset", form({ email: "no" })] },
  finishSignInAction: { who: "anyone", given: () => ["000000"] },
  proveFactorAction: { who: "person", given: () => ["000000"] },
  undoFactorAction: { who: "anyone", given: () => ["x"] },
  resetPasswordAction: { who: "anyone", given: () => ["x", form({ password: "a new password" })] },
  signUpAction: { who: "anyone", given: () => ["", form({ name: "x" })] },
  shortenAction: { who: "anyone", given: () => [form({ url })] },
  closeAnnouncementAction: { who: "person", given: () => [newId("ann")] },
  chooseTheme: { who: "anyone", given: () => ["dark"] },
  chooseListLayout: { who: "anyone", given: () => ["{}"] },
  chooseLocale: { who: "anyone", given: () => ["en"] },
  storeZone: { who: "anyone", given: () => ["UTC"] },
  unlockShareAction: { who: "anyone", given: () => ["x", form({ password: "x" })] },
};

/** Actions of administrators: for all other signed-in people there is nothing to act on. */
export const operatorActions: Record<string, Omit<ActionExample, "who" | "names">> = {
  changePersonAction: {
    given: (it) => [it.user, "removeOperator", form({ reason: "Requested by the owner" })],
  },
  changeInstanceListAction: {
    given: () => ["block", form({ add: "blocked.example", reason: "Phishing" })],
  },
  pollInstanceListAction: { given: () => ["warn"] },
  disableRefusedLinksAction: { given: () => ["", form({ reason: "Phishing" })] },
  createAnnouncementAction: {
    given: () => [
      form({
        textEn: "Maintenance on Sunday",
        textZh: "周日维护",
        level: "info",
        endsAt: new Date(Date.now() + 86_400_000).toISOString().slice(0, 16),
        reason: "Maintenance",
      }),
    ],
  },
  disableLinkAction: {
    given: () => [newId("link"), form({ reason: "Phishing" })],
    answer: "notFound",
  },
  switchFeatureAction: { given: () => ["reports", true, form({ reason: "Works again" })] },
  endAnnouncementAction: {
    given: () => [newId("ann"), form({ reason: "Maintenance is done" })],
    answer: "notFound",
  },
  decideKeyAction: {
    given: () => ["approve", newId("key"), form({ reason: "Known integration" })],
    answer: "notFound",
  },
  changeJobAction: {
    given: () => ["retry", "clicks.ingest", "1", form({ reason: "Disk is larger" })],
    answer: "notFound",
  },
  setPlanAction: {
    given: (it) => [it.workspace, form({ plan: "enterprise", reason: "Paid by invoice" })],
  },
  createBanAction: {
    given: () => [form({ kind: "host", subject: "bad.example", reason: "spam", note: "Spam" })],
  },
  liftBanAction: { given: () => [newId("ban"), form({ note: "A mistake" })], answer: "banGone" },
  decideAppealAction: {
    given: () => [newId("ban"), newId("user"), form({ note: "Checked", decision: "decline" })],
    answer: "appealGone",
  },
  decideReportsAction: {
    given: () => [newId("link"), form({ note: "Checked", action: "dismiss" })],
    answer: "reportsGone",
  },
};
