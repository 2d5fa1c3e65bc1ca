/** Bans of links, hosts, workspaces and people: their effects, their ends, and who is told. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { admitApiKey, createApiKey } from "#lib/identity/api-keys";
import { checkCredentials } from "#lib/identity/auth";
import { beginSession, findSession } from "#lib/identity/sessions";
import { createLinks } from "#lib/links/creating";
import { deleteLinksWithUndo, editLink, restoreLinks } from "#lib/links/editing";
import { editLinkBody } from "#lib/links/fields/schema";
import { hostEntry } from "#lib/links/link-cache";
import { getLink } from "#lib/links/reading";
import { publishChanges } from "#lib/platform/cache-sync";
import { config } from "#lib/platform/config";
import { query, sql } from "#lib/platform/postgres";
import { listAudit } from "#lib/tenancy/audit";
import { auditQuery } from "#lib/tenancy/audit/schema";
import {
  appealBan,
  banMailJobs,
  findNotice,
  noticeTokenOf,
  sendBanMails,
} from "#lib/tenancy/ban-recipients";
import { banBody, bansQuery, noteCharsMax } from "#lib/tenancy/bans/schema";
import { listNotifications } from "#lib/tenancy/notifications";
import type { OperatorScope } from "#lib/tenancy/operators";
import { openWorkspace } from "#lib/tenancy/workspaces";
import { startWorkspaceExport } from "#lib/transfer/workspace-export";
import { makeTestOperator } from "../../../test/operators.ts";
import { newPerson, testPassword } from "../../../test/people.ts";
import { openTestVisits } from "../../../test/redirect-server.ts";
import { joinTestScope, makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import {
  announceBans,
  createBan,
  decideAppeal,
  endDueBans,
  liftBan,
  listAppeals,
  listBans,
} from "./index.ts";

openTestStores();
const { ask, make, scope } = openTestVisits("banned");

const destination = "https://example.com/there";
const note = "Copies the sign-in page of a bank";
let operator: OperatorScope;
let made = 0;

beforeAll(async () => {
  ({ operator } = await makeTestOperator("root"));
});
beforeEach(() => {
  made += 1;
});

function ban(body: object) {
  return createBan(operator, banBody.parse({ reason: "phishing", note, ...body }));
}

/** Polls a visit until it has this status: a change is seen within a second. */
async function reaches(path: string, status: number, options = {}): Promise<boolean> {
  const until = Date.now() + 5_000;
  for (;;) {
    if ((await ask(path, options)).status === status) return true;
    if (Date.now() > until) return false;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function rowOf(id: string) {
  const { link } = await getLink(scope(), id);
  return link;
}

test("a banned link shows the reason and no destination, also in its preview, and is as before after the ban", async () => {
  const { key, id } = await make({ url: destination, title: "Kept", disabled: false });
  expect((await ask(`/${key}`)).status).toBe(302);
  const before = await rowOf(id);
  const created = await ban({ kind: "link", subject: id });
  for (const path of [`/${key}`, `/${key}+`]) {
    const answer = await ask(path);
    expect(answer.status).toBe(451);
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(answer.body).toContain("steal passwords");
    expect(answer.all).not.toContain("example.com/there");
  }
  await liftBan(operator, created.id, "A mistake");
  expect(await ask(`/${key}`)).toMatchObject({ status: 302 });
  expect(await rowOf(id)).toEqual(before);
});

test("a link is found by its short URL, its preview URL and its id", async () => {
  for (const textOf of [
    ({ key }: { key: string }) => `http://localhost/${key}`,
    ({ key }: { key: string }) => `localhost:3000/${key}+`,
    ({ id }: { id: string }) => id,
  ]) {
    const link = await make({});
    expect(await ban({ kind: "link", subject: textOf(link) })).toMatchObject({ subject: link.id });
  }
  const missing = ban({ kind: "link", subject: "localhost/nobody" });
  await expect(missing).rejects.toMatchObject({ code: "not_found" });
});

test("a disabled link is disabled again after its ban", async () => {
  const { key, id } = await make({ disabled: true });
  const created = await ban({ kind: "link", subject: id });
  expect((await ask(`/${key}`)).status).toBe(451);
  await liftBan(operator, created.id, "A mistake");
  expect((await ask(`/${key}`)).status).toBe(410);
});

test("an edit while a link is being banned neither ends the ban nor is lost", async () => {
  const { key, id } = await make({});
  const edits = Array.from({ length: 8 }, (_, at) =>
    editLink(scope(), id, editLinkBody.parse({ title: `Title ${at}` })),
  );
  const [created] = await Promise.all([ban({ kind: "link", subject: id }), ...edits]);
  await editLink(scope(), id, editLinkBody.parse({ url: "https://example.com/other" }));
  expect((await ask(`/${key}`)).status).toBe(451);
  expect((await rowOf(id)).url).toBe("https://example.com/other");
  await liftBan(operator, created.id, "A mistake");
  expect((await ask(`/${key}`)).headers.location).toBe("https://example.com/other");
});

test("deleting and restoring a link ends no ban, and a ban that ended meanwhile is gone", async () => {
  const { key, id } = await make({});
  const created = await ban({ kind: "link", subject: id });
  await deleteLinksWithUndo(scope(), [id]);
  await restoreLinks(scope(), [id]);
  expect(await reaches(`/${key}`, 451)).toBe(true);
  await deleteLinksWithUndo(scope(), [id]);
  await liftBan(operator, created.id, "A mistake");
  await restoreLinks(scope(), [id]);
  expect(await reaches(`/${key}`, 302)).toBe(true);
});

test("the same thing is banned once, and its ban is lifted once, in any race", async () => {
  const { id } = await make({});
  const outcomes = await Promise.allSettled(
    Array.from({ length: 4 }, () => ban({ kind: "link", subject: id })),
  );
  const [first] = outcomes.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const lifts = await Promise.allSettled(
    Array.from({ length: 4 }, () => liftBan(operator, first?.id ?? "", "A mistake")),
  );
  expect(lifts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

const places: [name: string, body: (url: string) => object][] = [
  ["url", (url) => ({ url })],
  ["expiredUrl", (expiredUrl) => ({ expiredUrl, expiresAt: "2020-01-01T00:00:00Z" })],
  ["ios", (ios) => ({ ios })],
  ["geo", (url) => ({ geo: { DE: url } })],
  ["rules", (url) => ({ rules: [{ url, device: ["mobile"] }] })],
  [
    "testVariants",
    (url) => ({
      testVariants: [
        { url: destination, percentage: 50 },
        { url, percentage: 50 },
      ],
    }),
  ],
  ["a host with a final dot", () => ({ url: "https://shop.bad-DOT.example./x" })],
];

test.each(places)(
  "a ban of a host stops existing links to it and to its subdomains: %s",
  async (name, body) => {
    const host = name.includes("dot") ? "bad-dot.example" : `bad-${made}.example`;
    const { key } = await make(body(`https://www.${host}/page`));
    const { key: other } = await make({ url: `https://not${host}/` });
    const status = (await ask(`/${key}`)).status;
    const created = await ban({ kind: "host", subject: `https://${host.toUpperCase()}/any` });
    expect(created.subject).toBe(host);
    expect(await reaches(`/${key}`, 451)).toBe(true);
    expect((await ask(`/${key}`)).all).not.toContain(host);
    expect((await ask(`/${other}`)).status).toBe(302);
    await liftBan(operator, created.id, "A mistake");
    expect(await reaches(`/${key}`, status)).toBe(true);
  },
);

test("the fallback URLs of a domain show the page too", async () => {
  await query(sql`UPDATE domain SET not_found_url = 'https://bad-fallback.example/'`);
  const created = await ban({ kind: "host", subject: "bad-fallback.example" });
  await publishChanges([{ entry: hostEntry("localhost"), revision: 1 }]);
  expect(await reaches("/nothing-here", 451)).toBe(true);
  await liftBan(operator, created.id, "A mistake");
  await query(sql`UPDATE domain SET not_found_url = NULL`);
  await publishChanges([{ entry: hostEntry("localhost"), revision: 1 }]);
});

test("new and edited links can’t have a banned host as destination", async () => {
  await ban({ kind: "host", subject: "refused.example" });
  const outcome = async (url: string) => (await createLinks(scope(), [{ url }]))[0];
  const deadline = Date.now() + 5_000;
  while ((await outcome("https://a.refused.example/"))?.ok && Date.now() < deadline);
  expect(await outcome("https://a.refused.example/")).toMatchObject({
    ok: false,
    code: "destination_refused",
  });
  expect(await outcome("https://notrefused.example/")).toMatchObject({ ok: true });
});

test("the host of the instance, an administrator and an unknown subject can’t be banned", async () => {
  const wrong: [object, string][] = [
    [{ kind: "host", subject: "localhost" }, "not_found"],
    [{ kind: "host", subject: "not a host" }, "not_found"],
    [{ kind: "user", subject: "root@example.com" }, "unprocessable_entity"],
    [{ kind: "user", subject: "nobody@example.com" }, "not_found"],
    [{ kind: "workspace", subject: "nowhere" }, "not_found"],
    [
      { kind: "host", subject: "late.example", endsAt: "2020-01-01T00:00:00Z" },
      "unprocessable_entity",
    ],
  ];
  for (const [body, code] of wrong) await expect(ban(body)).rejects.toMatchObject({ code });
  expect(
    banBody.safeParse({
      kind: "host",
      subject: "x.example",
      reason: "spam",
      note: "x".repeat(noteCharsMax),
    }).success,
  ).toBe(true);
  expect(
    banBody.safeParse({
      kind: "host",
      subject: "x.example",
      reason: "spam",
      note: "x".repeat(noteCharsMax + 1),
    }).success,
  ).toBe(false);
});

test("links of a banned workspace show the page; its members can read and export, and nothing else", async () => {
  const ada = await makeTestScope(`ada-${made}`);
  const member = await joinTestScope(ada, `member-${made}`, "member");
  const { key: token } = await createApiKey(ada, { name: "Key" });
  const [outcome] = await createLinks(ada, [{ url: destination }]);
  const link = outcome?.ok ? outcome.link : undefined;
  expect((await ask(`/${link?.key}`)).status).toBe(302);
  const created = await ban({ kind: "workspace", subject: ada.slug });
  expect(await reaches(`/${link?.key}`, 451)).toBe(true);
  const owner = await openWorkspace(ada.actor, ada.slug);
  expect(owner).toMatchObject({ banned: true });
  if (!owner) throw new Error("The owner must get in");
  const edited = () => editLink(owner, link?.id ?? "", editLinkBody.parse({ title: "New" }));
  await expect(edited()).rejects.toMatchObject({ problem: { code: "workspace_banned" } });
  expect((await getLink(owner, link?.id ?? "")).link.id).toBe(link?.id);
  expect(await startWorkspaceExport(owner)).toBeDefined();
  expect((await openWorkspace(member.actor, ada.slug))?.permissions.has("links.write")).toBe(false);
  const admitted = await admitApiKey(token, "198.18.0.1");
  expect(admitted).toMatchObject({ ok: true, scope: { banned: true } });
  await liftBan(operator, created.id, "A mistake");
  expect(await reaches(`/${link?.key}`, 302)).toBe(true);
  const again = await openWorkspace(ada.actor, ada.slug);
  expect(again?.permissions).toEqual(ada.permissions);
});

test("a banned person can’t sign in, and neither their sessions nor their keys work until the end of the ban", async () => {
  const person = await newPerson();
  const ada = await makeTestScope(`key-${made}`);
  await query(sql`UPDATE app_user SET email_proven_at = now() WHERE id = ${ada.actor}`);
  const { key: token } = await createApiKey(ada, { name: "Key" });
  const session = await beginSession(ada.actor);
  expect(await findSession(session)).toBeDefined();
  expect((await admitApiKey(token, "198.18.0.1")).ok).toBe(true);
  const bans = [
    await ban({ kind: "user", subject: person.email }),
    await ban({ kind: "user", subject: ada.actor }),
  ];
  expect(await findSession(session)).toBeUndefined();
  expect(await findSession(person.sessionId)).toBeUndefined();
  expect((await admitApiKey(token, "198.18.0.1")).ok).toBe(false);
  const credentials = { email: person.email, password: testPassword };
  const refused = await checkCredentials(credentials, "198.18.1.1");
  expect(refused).toMatchObject({ ok: false, code: "banned" });
  const wrong = { ...credentials, password: "wrong password" };
  expect(await checkCredentials(wrong, "198.18.1.1")).toEqual({ ok: false, code: "wrong" });
  await expect(beginSession(person.id)).rejects.toThrow();
  const shown = await findNotice("token" in refused ? refused.token : "");
  expect(shown).toMatchObject({ ban: { note, kind: "user" }, appeal: "possible" });
  for (const { id } of bans) await liftBan(operator, id, "A mistake");
  expect(await findSession(session)).toBeDefined();
  expect((await admitApiKey(token, "198.18.0.1")).ok).toBe(true);
  expect(await checkCredentials(credentials, "198.18.1.1")).toMatchObject({ ok: true });
});

test("a ban ends by itself at its end, once", async () => {
  const { key, id } = await make({});
  const created = await ban({ kind: "link", subject: id, endsAt: "2100-01-01T00:00:00Z" });
  expect(await endDueBans()).toBe(0);
  await query(sql`UPDATE ban SET ends_at = now() - interval '1 second' WHERE id = ${created.id}`);
  expect(await endDueBans()).toBe(1);
  expect(await endDueBans()).toBe(0);
  expect((await ask(`/${key}`)).status).toBe(302);
  const lifted = await listBans(operator, bansQuery.parse({ state: "lifted", pageSize: 1 }));
  expect(lifted).toMatchObject([{ id: created.id, liftedBy: "system" }]);
});

async function recipientsOf(banId: string) {
  return await query<{ id: string; links: number; mails: string[] }>(sql`
    SELECT app_user.id, ban_recipient.links, ban_recipient.mails
    FROM ban_recipient
    JOIN app_user ON app_user.pk = ban_recipient.user_pk
    JOIN ban ON ban.pk = ban_recipient.ban_pk
    WHERE ban.id = ${banId}
    ORDER BY app_user.pk`);
}

test("owners of links to a banned host are told once, with the number of links, however often the jobs run", async () => {
  const [ada, eve] = [await makeTestScope(`told-${made}`), await makeTestScope(`eve-${made}`)];
  await joinTestScope(ada, `viewer-${made}`, "viewer");
  const bodies = [
    { url: "https://told.example/a" },
    { url: "https://www.told.example/b" },
    { url: "https://example.com/?q=told.example" },
  ];
  await createLinks(ada, bodies);
  await createLinks(eve, [{ url: "https://nottold.example/" }]);
  const created = await ban({ kind: "host", subject: "told.example" });
  await announceBans();
  await announceBans();
  expect(await recipientsOf(created.id)).toEqual([{ id: ada.actor, links: 2, mails: ["banned"] }]);
  await sendBanMails();
  await sendBanMails();
  expect(await listNotifications(ada)).toMatchObject([
    { kind: "ban.started", subject: created.id, details: { name: "told.example", links: 2 } },
  ]);
  await liftBan(operator, created.id, "A mistake");
  await sendBanMails();
  const kinds = (await listNotifications(ada)).map(({ kind }) => kind);
  expect(kinds).toEqual(["ban.lifted", "ban.started"]);
});

test("the creator of a banned link and the owners are told; nobody is told about the end of a ban they never heard of", async () => {
  const ada = await makeTestScope(`owner-${made}`);
  const member = await joinTestScope(ada, `creator-${made}`, "member");
  await joinTestScope(ada, `other-${made}`, "member");
  const [outcome] = await createLinks(member, [{ url: destination }]);
  const created = await ban({ kind: "link", subject: outcome?.ok ? outcome.link.id : "" });
  const told = (await recipientsOf(created.id)).map(({ id }) => id);
  expect(told).toEqual([ada.actor, member.actor]);
  await liftBan(operator, created.id, "A mistake");
  expect((await recipientsOf(created.id)).map(({ mails }) => mails)).toEqual([[], []]);
});

async function appealed(text = "These are the pages of my own shop.") {
  const link = await make({});
  const created = await ban({ kind: "link", subject: link.id });
  const token = noticeTokenOf(created.id, scope().actor);
  expect(await appealBan(token, text)).toBe(true);
  return { link, created, token };
}

test("an appeal is made once, and is in the queue until it is decided", async () => {
  const { created, token } = await appealed();
  expect(await appealBan(token, "Once more, please.")).toBe(false);
  expect(await findNotice(token)).toMatchObject({ appeal: "pending" });
  const open = (await listAppeals(operator)).filter((one) => one.ban.id === created.id);
  expect(open).toMatchObject([{ text: "These are the pages of my own shop." }]);
  const decision = { userId: scope().actor, accept: false, note: "Still the same page" };
  await decideAppeal(operator, created.id, decision);
  const again = decideAppeal(operator, created.id, { ...decision, accept: true });
  await expect(again).rejects.toMatchObject({ code: "not_found" });
  expect(await findNotice(token)).toMatchObject({ appeal: "declined" });
  expect(await recipientsOf(created.id)).toMatchObject([{ mails: ["banned", "declined"] }]);
});

test("an accepted appeal lifts the ban", async () => {
  const { created, link, token } = await appealed();
  await sendBanMails();
  const decision = { userId: scope().actor, accept: true, note: "Checked: it’s fine" };
  await decideAppeal(operator, created.id, decision);
  expect((await ask(`/${link.key}`)).status).toBe(302);
  expect(await findNotice(token)).toMatchObject({ appeal: "ended" });
  expect(await appealBan(token, "Too late to appeal.")).toBe(false);
  expect(await recipientsOf(created.id)).toMatchObject([{ mails: ["lifted"] }]);
});

test("a forged token, or that of a person who wasn’t told, opens nothing", async () => {
  const { created, token } = await appealed();
  const eve = await makeTestScope(`forger-${made}`);
  const [id, user, signature] = token.split(".");
  const [, , other] = noticeTokenOf(created.id, eve.actor).split(".");
  const forged = [
    noticeTokenOf(created.id, eve.actor),
    `${id}.${user}.${other}`,
    `${id}.${eve.actor}.${signature}`,
    `${token}x`,
    `${token}.x`,
    "",
    "...",
    "x".repeat(10_000),
  ];
  for (const one of forged) {
    expect(await findNotice(one)).toBeUndefined();
    expect(await appealBan(one, "Let me in, please.")).toBe(false);
  }
});

test("bans, lifts and decisions are in the audit log of the workspace, with administrator and reason", async () => {
  const { created, link } = await appealed();
  await liftBan(operator, created.id, "A mistake");
  const entries = (await listAudit(scope(), auditQuery.parse({ subject: link.id }))).filter(
    ({ action }) => action.startsWith("operator."),
  );
  expect(entries).toMatchObject([
    {
      action: "operator.lift_ban",
      actor: { id: operator.actor },
      details: { reason: "A mistake" },
    },
    { action: "operator.ban", actor: { id: operator.actor }, details: { reason: note } },
  ]);
});

test("a ban that fails half-way bans nothing", async () => {
  const { key, id } = await make({});
  await query(sql`ALTER TABLE audit RENAME TO audit_away`);
  await expect(ban({ kind: "link", subject: id })).rejects.toThrow();
  await query(sql`ALTER TABLE audit_away RENAME TO audit`);
  expect((await ask(`/${key}`)).status).toBe(302);
});

/** The decoded emails to an address: their parts are in base64 or quoted-printable. */
function mailsTo(email: string): string {
  const folder = join(config().FUXI_DATA_DIR, "outbox");
  const mails = readdirSync(folder).map((name) => readFileSync(join(folder, name), "latin1"));
  return mails
    .filter((mail) => mail.includes(`To: ${email}`))
    .flatMap((mail) => mail.split(/\r?\n(?=--)/))
    .map((part) => {
      const [head = "", ...body] = part.split(/\r?\n\r?\n/);
      const text = body.join("\n\n");
      if (/base64/i.test(head)) return Buffer.from(text, "base64").toString();
      const bytes = text
        .replace(/=\r?\n/g, "")
        .replace(/=([0-9A-F]{2})/g, (_, hex: string) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        );
      return Buffer.from(bytes, "latin1").toString();
    })
    .join("\n");
}

test("an owner gets the email in their language, with the reason and the page to appeal", async () => {
  const ada = await makeTestScope(`mail-${made}`);
  await query(sql`UPDATE app_user SET locale = 'zh' WHERE id = ${ada.actor}`);
  const created = await ban({ kind: "workspace", subject: ada.workspaceId, note: "仿冒银行页面" });
  const job = banMailJobs.find(({ name }) => name === "ban.mail");
  const [row] = await query<{ pk: number }>(sql`SELECT pk FROM ban WHERE id = ${created.id}`);
  const data = { banPk: row?.pk, userPk: ada.userPk, name: "banned" };
  await job?.handle(job.schema.parse(data) as never);
  const text = mailsTo(`mail-${made}@example.com`);
  expect(text).toContain("已被系统管理员封禁");
  expect(text).toContain("仿冒银行页面");
  expect(text).toContain(`/appeal?token=${noticeTokenOf(created.id, ada.actor)}`);
});
