/** For tests of the API: objects that calls can refer to, and missing ids of the same form. */
import sharp from "sharp";
import { newId, newUuid } from "#lib/basics/ids";
import { createApiKey } from "#lib/identity/api-keys";
import { startBulkJob } from "#lib/links/bulk-jobs";
import { createLinks } from "#lib/links/creating";
import { createFolder } from "#lib/links/folders";
import { plainDesign } from "#lib/links/qr-design/schema";
import { storeSocialImage } from "#lib/links/social-images";
import { createTag } from "#lib/links/tags";
import { createUtmTemplate } from "#lib/links/utm";
import { createGateway } from "#lib/outreach/gateway-accounts";
import { addOptOuts, listOptOuts } from "#lib/outreach/opt-outs";
import { createTemplate, storeLogo } from "#lib/outreach/qr-templates";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { listAudit } from "#lib/tenancy/audit";
import { setUpWorkspace } from "#lib/tenancy/workspaces";
import {
  makeCampaigns,
  makeContact,
  makeCustomer,
  makeDomain,
  makeForm,
  makeImports,
  makePublicKey,
  makeWebhook,
  makeWechatAccount,
} from "./subject-makers.ts";

const origin = "http://localhost:3000";
/** A PNG of one pixel, in base64. */
export const onePixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Objects of one workspace, by their names in calls. */
export type TestSubjects = ReturnType<typeof missingThings>;

/** Objects that are made together. */
interface Group {
  names: readonly (keyof TestSubjects)[];
  /** The object that they belong to. */
  of?: keyof TestSubjects;
  make: (
    scope: WorkspaceScope,
    number: number,
    made: TestSubjects,
  ) => Partial<TestSubjects> | Promise<Partial<TestSubjects>>;
}

const groups: readonly Group[] = [
  { names: ["link", "key", "shortLink", "shortDomain", "externalId"], make: makeLink },
  { names: ["tag", "tagName"], make: makeTag },
  {
    names: ["folder"],
    make: (scope, number) =>
      idAs("folder", createFolder(scope, { name: `Folder ${number}`, accessLevel: null })),
  },
  {
    names: ["apiKey"],
    make: async (scope, number) => {
      const { apiKey } = await createApiKey(scope, { name: `Key ${number}` });
      return { apiKey: apiKey.id };
    },
  },
  {
    names: ["utm"],
    make: (scope, number) => idAs("utm", createUtmTemplate(scope, { name: `Template ${number}` })),
  },
  {
    names: ["qrTemplate"],
    make: (scope, number) => {
      const template = { name: `Template ${number}`, design: plainDesign, isDefault: false };
      return idAs("qrTemplate", createTemplate(scope, template));
    },
  },
  {
    names: ["qrLogo"],
    make: async (scope, number) => idAs("qrLogo", storeLogo(scope, await makePng(number))),
  },
  {
    names: ["socialImage"],
    make: async (scope, number) =>
      idAs("socialImage", storeSocialImage(scope, await makePng(number))),
  },
  { names: ["job"], make: async (scope) => ({ job: await jobOf(scope) }) },
  { names: ["import", "importer"], make: makeImports },
  {
    names: ["campaign", "otherCampaign", "source", "readySource", "waitingSource"],
    make: makeCampaigns,
  },
  { names: ["optOut"], make: makeOptOut },
  { names: ["gateway"], make: makeGateway },
  {
    names: ["wechatAccount"],
    make: (scope, number) => idAs("wechatAccount", makeWechatAccount(scope, number)),
  },
  { names: ["webhook", "event"], make: makeWebhook },
  {
    names: ["click", "customer"],
    of: "link",
    make: (scope, _number, { link }) => makeCustomer(scope, link),
  },
  {
    names: ["publicKey"],
    make: (scope, number) => idAs("publicKey", makePublicKey(scope, number)),
  },
  {
    names: ["form"],
    make: (scope, number) => idAs("form", makeForm(scope, `Form ${number}`)),
  },
  {
    names: ["contact"],
    of: "link",
    make: (scope, number, { link }) => makeContact(scope, number, link),
  },
  {
    names: ["entry"],
    make: async (scope) => {
      const [entry] = await listAudit(scope, { pageSize: 1 });
      return { entry: String(entry?.id) };
    },
  },
  {
    names: ["user", "workspace"],
    make: ({ userId, workspaceId }) => ({ user: String(userId), workspace: workspaceId }),
  },
  { names: ["otherWorkspace"], make: makeWorkspace },
  { names: ["domain", "officialAccount"], make: makeDomain },
];

let created = 0;
const jobs = new Map<number, string>();

export function makeSubjects(scope: WorkspaceScope): Promise<TestSubjects> {
  return openSubjects(scope).all();
}

/** Objects for many calls, one after the other: what a call may have changed is made anew for the next that needs it. */
export function openSubjects(scope: WorkspaceScope) {
  const made = missingThings();
  const outdated = new Set(groups);
  const provide = async (needed: readonly Group[]): Promise<TestSubjects> => {
    created += 1;
    for (const group of needed) {
      if (outdated.delete(group)) Object.assign(made, await group.make(scope, created, made));
    }
    return { ...made };
  };
  return {
    all: () => provide(groups),
    /** Makes the subjects that the call needs new again. */
    for: (call: GivenSubjects) => {
      const names = namesIn(call);
      return provide(groups.filter((group) => group.names.some((name) => names.has(name))));
    },
    /** Says that the call may have changed its subjects. */
    outdate: (call: GivenSubjects) => {
      const names = namesIn(call);
      for (const group of groups) {
        const all = group.of ? [group.of, ...group.names] : group.names;
        if (all.some((name) => names.has(name))) outdated.add(group);
      }
    },
  };
}

/** What a call sends. */
type GivenSubjects = (subjects: TestSubjects) => unknown;

/** The names of the objects of a call, and of those that these belong to. */
function namesIn(call: GivenSubjects): Set<PropertyKey> {
  const names = new Set<PropertyKey>();
  const get = (things: TestSubjects, name: PropertyKey) => {
    names.add(name);
    return Reflect.get(things, name);
  };
  call(new Proxy(missingThings(), { get }));
  for (const group of groups) {
    if (group.of && group.names.some((name) => names.has(name))) names.add(group.of);
  }
  return names;
}

async function idAs<Name extends keyof TestSubjects>(
  name: Name,
  making: Promise<{ id: string }>,
): Promise<Partial<TestSubjects>> {
  return { [name]: (await making).id };
}

async function makeLink(scope: WorkspaceScope, number: number) {
  const externalId = `external-${number}`;
  const [outcome] = await createLinks(scope, [
    { url: "https://example.com/", key: `thing-${number}`, externalId },
  ]);
  if (!outcome?.ok) throw new Error(outcome?.message);
  const { id: link, key, shortLink, domain: shortDomain } = outcome.link;
  return { link, key, shortLink, shortDomain, externalId };
}

async function makeTag(scope: WorkspaceScope, number: number) {
  const tag = await createTag(scope, { name: `Tag ${number}` });
  return { tag: tag.id, tagName: tag.name };
}

/** One per workspace: no worker takes them, and few may wait. */
async function jobOf(scope: WorkspaceScope): Promise<string> {
  const known = jobs.get(scope.workspacePk);
  if (known !== undefined) return known;
  const started = await startBulkJob(scope, [{ url: "https://example.com/" }], undefined);
  if (!started.ok) throw new Error("No bulk job could be started");
  jobs.set(scope.workspacePk, started.job.id);
  return started.job.id;
}

async function makeOptOut(scope: WorkspaceScope, number: number) {
  await addOptOuts(scope, { phones: [`+86138${String(90_000_000 + number)}`] });
  const [optOut] = await listOptOuts(scope, { pageSize: 1 });
  return { optOut: String(optOut?.id) };
}

function makeGateway(scope: WorkspaceScope, number: number) {
  const gateway = createGateway(scope, {
    name: `Gateway ${number}`,
    settings: { kind: "twilio", accountSid: `AC${"0".repeat(32)}`, sender: "+14155550100" },
    secret: `secret-${number}`,
    rate: 10,
  });
  return idAs("gateway", gateway);
}

/** Another workspace of the same person. */
async function makeWorkspace(scope: WorkspaceScope, number: number) {
  const slug = `other-${number}-of-${scope.slug}`.slice(0, 48);
  const outcome = await setUpWorkspace(String(scope.userId), { name: slug, slug });
  if (!outcome.ok) throw new Error(outcome.code);
  return { otherWorkspace: outcome.workspace.id };
}

/** Each number has its own image. */
async function makePng(number: number): Promise<Buffer> {
  const background = { r: number % 256, g: number >> 8, b: 0 };
  return await sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .png()
    .toBuffer();
}

/** Missing ids of the same form. */
export function missingThings() {
  created += 1;
  return {
    link: newId("link"),
    key: `missing-${created}`,
    shortLink: `${origin}/missing-${created}`,
    shortDomain: "localhost",
    externalId: `missing-${created}`,
    tag: newId("tag"),
    tagName: `Missing ${created}`,
    folder: newId("fold"),
    apiKey: newId("key"),
    utm: newId("utm"),
    qrTemplate: newId("qrt"),
    qrLogo: newId("qrl"),
    socialImage: newId("img"),
    job: newId("job"),
    import: newId("imp"),
    importer: newId("impr"),
    campaign: newId("camp"),
    gateway: newId("gw"),
    wechatAccount: newId("wxa"),
    officialAccount: newId("wxa"),
    webhook: newId("wh"),
    click: `${Date.now() - 3_600_000}-${newUuid()}`,
    customer: newId("cus"),
    form: newId("form"),
    contact: newId("con"),
    publicKey: newId("pk"),
    event: newId("evt"),
    otherCampaign: newId("camp"),
    source: newId("src"),
    readySource: newId("src"),
    waitingSource: newId("src"),
    optOut: newId("opt"),
    entry: newId("aud"),
    user: newId("user"),
    workspace: newId("ws"),
    otherWorkspace: newId("ws"),
    domain: `missing-${created}.example`,
  };
}
