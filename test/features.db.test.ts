/** Each feature that administrators can turn off, through the verbs that do it; and what exists while it is off. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createShare, listShares, openShare } from "#lib/analytics/shares";
import { newShare } from "#lib/analytics/shares/schema";
import { admitApiKey, createApiKey } from "#lib/identity/api-keys";
import { signInWithOAuth, signUp } from "#lib/identity/auth";
import { createMany, startBulkJob } from "#lib/links/bulk-jobs";
import { openLinks } from "#lib/links/creating";
import { createDomain, editDomain } from "#lib/links/domains";
import { createDomainBody, editDomainBody } from "#lib/links/domains/schema";
import { makePublicLink, newChallenge, newMakerSecret } from "#lib/links/public-links";
import { fileReport } from "#lib/office/reports";
import { addRecipients, createCampaign } from "#lib/outreach/campaigns";
import { createGateway } from "#lib/outreach/gateway-accounts";
import { createGatewayBody } from "#lib/outreach/gateway-accounts/schema";
import { pauseCampaign, resumeCampaign, startSending } from "#lib/outreach/sending";
import { channel, openCoherence } from "#lib/platform/cache-sync";
import { config } from "#lib/platform/config";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { isFeatureOn, listFeatures, switchFeature } from "#lib/tenancy/features";
import { type Feature, featureNames } from "#lib/tenancy/features/schema";
import { inviteMember } from "#lib/tenancy/members";
import { operatorOfCommandLine } from "#lib/tenancy/operators";
import { createWorkspace } from "#lib/tenancy/workspaces";
import { startImport, uploadImport } from "#lib/transfer/imports";
import { timeBound } from "./bounds.ts";
import { campaignBody, recipientRows } from "./campaigns.ts";
import { resetLimits } from "./limits.ts";
import { makeTestOperator } from "./operators.ts";
import { workOn } from "./public-links.ts";
import { makeTestScope } from "./scope.ts";
import { openTestStores } from "./stores.ts";
import { TcpProxy } from "./tcp-proxy.ts";

openTestStores({ FUXI_PUBLIC_SHORTENER: "public.localhost" });
const url = "https://example.com/";
const reason = "Test of features";
let names = 0;
let scope: WorkspaceScope;

beforeAll(async () => {
  openCoherence();
  await openLinks();
  // The first account of an instance is its administrator, with or without sign-up.
  await makeTestOperator("root");
});
beforeEach(async () => {
  await resetLimits();
  names += 1;
  scope = await makeTestScope(`user${names}`);
});
afterEach(async () => {
  for (const name of featureNames) await turn(name, true);
});

function turn(name: Feature, enabled: boolean): Promise<void> {
  return switchFeature(operatorOfCommandLine(), name, { enabled, reason });
}

/** The code with which a verb refuses; undefined: it worked. */
async function refusalOf(run: Promise<unknown>): Promise<string | undefined> {
  try {
    const { ok, code } = Object(await run);
    return ok === false ? code : undefined;
  } catch (error) {
    const { code, problem } = Object(error);
    return problem?.code ?? code;
  }
}

/** What is needed is made while the feature is on; then it is used. */
type Use = (scope: WorkspaceScope) => Promise<() => Promise<unknown>>;

function use(run: (scope: WorkspaceScope) => Promise<unknown>): Use {
  return async (own) => () => run(own);
}

const upload = (own: WorkspaceScope) =>
  uploadImport(own, new Blob([`url\n${url}\n`]).stream(), { name: "links.csv" });
const options = { source: "api", prefill: false } as const;
const share = newShare.parse({ name: "Clicks", kind: "workspace", parts: ["sources"] });
const hostOf = (slug: string) => createDomainBody.parse({ slug });
const account = () => {
  const email = `new-${crypto.randomUUID()}@example.com`;
  return { name: "New", email, password: "quiet lamp under seven rivers" };
};
const report = { link: "http://localhost:3000/none", reason: "spam", text: "", email: "" } as const;

/** A campaign with a gateway that is never called: no worker sends. */
async function sendable(own: WorkspaceScope) {
  const { id } = await createCampaign(own, campaignBody());
  await addRecipients(own, id, recipientRows(1));
  const settings = { kind: "twilio", accountSid: `AC${"0".repeat(32)}`, sender: "+14155550100" };
  const gateway = { name: "Gateway", settings, secret: "secret", rate: 10 };
  const { id: gatewayId } = await createGateway(own, createGatewayBody.parse(gateway));
  return { id, body: { gatewayId, rate: 10 } };
}

/** Every way to use a feature. One without an entry does not compile. */
const uses: Readonly<Record<Feature, Readonly<Record<string, Use>>>> = {
  signUp: {
    "an account with a password": use(() => signUp(account(), "203.0.113.8")),
    "an account of a provider": use(() => {
      const { name, email } = account();
      const identity = { provider: "github", subject: email, emailProven: true };
      return signInWithOAuth({ ...identity, email, name });
    }),
  },
  workspaces: {
    "a workspace": use(({ userId, slug }) =>
      createWorkspace(String(userId), { name: "Next", slug: `${slug}-next` }),
    ),
  },
  domains: {
    "a domain": use((own) => createDomain(own, hostOf(`${own.slug}.example`))),
    "another host": async (own) => {
      const { slug } = await createDomain(own, hostOf(`go-${own.slug}.example`));
      return () => editDomain(own, slug, editDomainBody.parse({ slug: `new-${slug}` }));
    },
  },
  apiKeys: { "an API key": use((own) => createApiKey(own, { name: "Key" })) },
  bulk: {
    "a bulk create": use((own) => createMany(own, [{ url }], options)),
    "a bulk create in the background": use((own) => startBulkJob(own, [{ url }], undefined)),
    "recipients of a campaign": async (own) => {
      const { id } = await createCampaign(own, campaignBody());
      return () => addRecipients(own, id, recipientRows(1));
    },
  },
  imports: {
    "an upload": use(upload),
    "the start of an import": async (own) => {
      const { id } = await upload(own);
      return () => startImport(own, id);
    },
  },
  shares: { "a share link": use((own) => createShare(own, share)) },
  sending: {
    "the start of a campaign": async (own) => {
      const { id, body } = await sendable(own);
      return () => startSending(own, id, body);
    },
    "the end of a pause": async (own) => {
      const { id, body } = await sendable(own);
      await startSending(own, id, body);
      await pauseCampaign(own, id);
      return () => resumeCampaign(own, id);
    },
  },
  publicLinks: {
    "a link without an account": use(() => {
      const address = "203.0.113.7";
      const work = workOn(newChallenge(url, address));
      return makePublicLink({ url, address, work, secret: newMakerSecret() });
    }),
  },
  reports: { "a report": use(() => fileReport(report, "203.0.113.9", "en")) },
};

/** Codes that these verbs have for other reasons too. */
const ownCodes: Partial<Record<Feature, string>> = {
  signUp: "sign_up_closed",
  workspaces: "closed",
  reports: "off",
  publicLinks: "off",
};

const cases = featureNames.flatMap((name) =>
  Object.entries(uses[name]).map(([how, prepare]) => ({ name, how, prepare })),
);

test.each(cases)("$name: $how works, is refused while turned off, and works again", async (one) => {
  const { name, prepare } = one;
  const run = await prepare(scope);
  await turn(name, false);
  expect(await refusalOf(run())).toBe(ownCodes[name] ?? "feature_off");
  await turn(name, true);
  expect(await refusalOf(run())).toBeUndefined();
});

test("a feature that is turned off leaves the others on", async () => {
  for (const { name, prepare } of cases) {
    const run = await prepare(scope);
    for (const other of featureNames) if (other !== name) await turn(other, false);
    expect([name, await refusalOf(run())]).toEqual([name, undefined]);
    for (const other of featureNames) await turn(other, true);
    names += 1;
    scope = await makeTestScope(`user${names}`);
  }
});

describe("while everything is turned off", () => {
  test("domains keep their other fields editable, keys work, shares open, and invited people sign up", async () => {
    const { slug } = await createDomain(scope, hostOf(`kept-${scope.slug}.example`));
    const { key } = await createApiKey(scope, { name: "Kept" });
    const { token } = await createShare(scope, share);
    const person = account();
    const body = { email: person.email, role: "member", days: 7 } as const;
    const { address } = await inviteMember(scope, body, "en");
    for (const name of featureNames) await turn(name, false);
    expect(await editDomain(scope, slug, editDomainBody.parse({ archived: true }))).toMatchObject({
      archived: true,
    });
    expect(await admitApiKey(key, "203.0.113.7")).toMatchObject({ ok: true });
    const guest = { token, grant: undefined, address: "203.0.113.7" };
    expect(await openShare(guest)).toMatchObject({ ok: true });
    expect(await listShares(scope)).toHaveLength(1);
    const invite = new URL(address).searchParams.get("token") ?? "";
    expect(await signUp(person, "203.0.113.7", invite)).toMatchObject({ ok: true });
  });

  test("administrators create workspaces", async () => {
    const { user } = await makeTestOperator(`admin${names}`);
    await turn("workspaces", false);
    const slug = `by-admin-${names}`;
    expect(await createWorkspace(user.id, { name: "Next", slug })).toMatchObject({ ok: true });
  });
});

test("an administrator’s change is recorded once with its reason, and an equal one changes nothing", async () => {
  const { operator, user } = await makeTestOperator(`recorded${names}`);
  for (const _ of [1, 2]) await switchFeature(operator, "shares", { enabled: false, reason });
  const rows = await query(sql`
    SELECT workspace_pk, action, subject, details FROM audit WHERE actor = ${user.id}`);
  const action = "operator.turn_feature_off";
  const details = { reason, name: "shares" };
  expect(rows).toEqual([{ workspace_pk: null, action, subject: "shares", details }]);
  const states = await listFeatures(operator);
  expect(states.map(({ name }) => name)).toEqual([...featureNames]);
  expect(states.find(({ name }) => name === "shares")).toMatchObject({ enabled: false, reason });
});

test("two administrators at once leave one row, and turning on what was never off leaves none", async () => {
  await query(sql`DELETE FROM feature`);
  await turn("bulk", true);
  expect(await query(sql`SELECT FROM feature`)).toEqual([]);
  await Promise.all([turn("bulk", false), turn("bulk", false)]);
  expect(await query(sql`SELECT name, enabled FROM feature`)).toEqual([
    { name: "bulk", enabled: false },
  ]);
});

test("another process follows within a second, and one that starts later knows it from the database", async () => {
  await expect.poll(() => channel.listening).toBe(true);
  const other = openOtherProcess();
  try {
    expect(await other.ask("imports")).toBe(true);
    await turn("imports", false);
    await expect.poll(() => other.ask("imports"), { timeout: timeBound(1_000) }).toBe(false);
    const later = openOtherProcess();
    expect(await later.ask("imports")).toBe(false);
    await later.end();
    await turn("imports", true);
    await expect.poll(() => other.ask("imports"), { timeout: timeBound(1_000) }).toBe(true);
    expect(await isFeatureOn("imports")).toBe(true);
  } finally {
    await other.end();
  }
});

test("while Redis is away, another process follows within a second, and knows it when it answers again", async () => {
  const proxy = new TcpProxy();
  const env = { REDIS_URL: await proxy.open(config().REDIS_URL) };
  const [writer, reader] = [openOtherProcess(env), openOtherProcess(env)];
  try {
    expect(await reader.ask("shares")).toBe(true);
    expect(await writer.ask("shares")).toBe(true);
    await proxy.close();
    expect(await writer.ask("shares", "off")).toBe(false);
    await expect.poll(() => reader.ask("shares"), { timeout: timeBound(1_000) }).toBe(false);
    expect(await writer.ask("shares", "on")).toBe(true);
    await expect.poll(() => reader.ask("shares"), { timeout: timeBound(1_000) }).toBe(true);
    expect(await writer.ask("shares", "off")).toBe(false);
    await proxy.reopen();
    await expect.poll(() => reader.ask("shares"), { timeout: timeBound(1_000) }).toBe(false);
  } finally {
    await Promise.all([writer.end(), reader.end()]);
    await proxy.close();
  }
});

test("the table of docs/operations/abuse.md has every feature", () => {
  const text = readFileSync("docs/operations/abuse.md", "utf8");
  for (const name of featureNames) expect(text).toMatch(new RegExp(`^\\| \`${name}\` +\\|`, "m"));
});

/** A process that answers for each line whether this feature is on, after turning it `on` or `off`. */
function openOtherProcess(env: Record<string, string> = {}) {
  const script = `
    import { createInterface } from "node:readline";
    import { channel, openCoherence } from "#lib/platform/cache-sync";
    import { isFeatureOn, switchFeature } from "#lib/tenancy/features";
    import { operatorOfCommandLine } from "#lib/tenancy/operators";
    openCoherence();
    while (!channel.listening) await new Promise((resolve) => setTimeout(resolve, 20));
    for await (const line of createInterface({ input: process.stdin })) {
      const [name, state] = line.split(" ");
      const change = { enabled: state === "on", reason: "Test" };
      if (state) await switchFeature(operatorOfCommandLine(), name, change);
      console.log(JSON.stringify(await isFeatureOn(name)));
    }
    process.exit(0);`;
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "--input-type=module", "--eval", script],
    { stdio: ["pipe", "pipe", "inherit"], env: { ...process.env, ...env } },
  );
  const lines = createInterface({ input: child.stdout });
  return {
    async ask(name: Feature, state: "on" | "off" | "" = ""): Promise<boolean> {
      child.stdin.write(`${name} ${state}\n`);
      const [line] = await once(lines, "line");
      return JSON.parse(String(line));
    },
    async end() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}
