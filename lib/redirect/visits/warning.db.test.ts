/** The warning page before hosts of the warning list, and the links to the form for reports. */
import { expect, test } from "vitest";
import {
  changeDestinationList,
  getInstanceLists,
  openInstanceLists,
} from "#lib/destinations/lists";
import { changeListBody } from "#lib/destinations/lists/schema";
import { listsEntry, publishChanges, takeRevision } from "#lib/platform/cache-sync";
import { query, sql, transaction } from "#lib/platform/postgres";
import { outcomes } from "#lib/redirect/visitor-pages";
import { timeBound } from "../../../test/bounds.ts";
import { makeTestOperator } from "../../../test/operators.ts";
import { openTestVisits } from "../../../test/redirect-server.ts";
import { openTestStores } from "../../../test/stores.ts";

openTestStores({ FUXI_DESTINATIONS_WARN: "warned.example" });
const { ask, make } = openTestVisits("warned");

const page = "https://warned.example/page";

/** Where “Continue anyway” leads. */
function onwardOf(body: string): string {
  const path = /class="button other" rel="nofollow" href="([^"]+)"/.exec(body)?.[1];
  return (path ?? "").replaceAll("&amp;", "&");
}

test("a link to a listed host shows its full host, and its destination only after “Continue anyway”", async () => {
  const { key } = await make({ url: "https://xn--e1afmkfd.warned.example/page" });
  const shown = await ask(`/${key}`);
  expect(shown).toMatchObject({ status: 200 });
  expect(shown.headers).toMatchObject({ "cache-control": "no-store", "x-robots-tag": "noindex" });
  expect(shown.headers.location).toBeUndefined();
  expect(shown.body).toContain('<bdi dir="ltr">xn--e1afmkfd.warned.example</bdi>');
  expect(shown.body).not.toContain("<script");
  const onward = await ask(onwardOf(shown.body));
  expect(onward).toMatchObject({ status: 302 });
  expect(onward.headers.location).toBe("https://xn--e1afmkfd.warned.example/page");
});

test("a click is counted once, when the visitor continues", async () => {
  const { key } = await make({ url: page });
  const before = { ...outcomes };
  const { body } = await ask(`/${key}`);
  await ask(`/${key}`, { method: "HEAD" });
  expect(outcomes).toMatchObject({ sentOn: before.sentOn, warned: before.warned + 2 });
  await ask(onwardOf(body));
  expect(outcomes.sentOn).toBe(before.sentOn + 1);
});

test("the token is neither forwarded nor recorded, and other parameters are", async () => {
  const { key } = await make({ url: page, forwardQuery: true });
  const { body } = await ask(`/${key}?a=1&b=%3C`);
  const onward = await ask(onwardOf(body));
  expect(onward.headers.location).toBe(`${page}?a=1&b=%3C`);
});

test("a forged token, an old one, or that of another link opens nothing", async () => {
  const [one, other] = [await make({ url: page }), await make({ url: page })];
  const onward = onwardOf((await ask(`/${one.key}`)).body);
  const token = onward.split("?")[1] ?? "";
  const old = token.replace(/=\w+\./, "=1.");
  const forged = token.replace(/.$/, (last) => (last === "A" ? "E" : "A"));
  const wrong = [
    `/${other.key}?${token}`,
    `/${one.key}?${old}`,
    `/${one.key}?${forged}`,
    `/${one.key}?fuxi_continue=x`,
  ];
  for (const path of wrong) expect((await ask(path)).status).toBe(200);
  expect((await ask(onward)).status).toBe(302);
});

test.each([
  ["rules", { url: "https://example.com/", rules: [{ device: ["desktop"], url: page }] }],
  ["a click limit, which the warning doesn’t use up", { url: page, maxClicks: 1 }],
])("a link with %s warns before a listed host", async (_name, fields) => {
  const { key } = await make(fields);
  for (const _ of [1, 2]) {
    const { status, body, headers } = await ask(`/${key}`);
    expect([status, headers.location]).toEqual([200, undefined]);
    expect(onwardOf(body)).not.toBe("");
  }
  const onward = await ask(onwardOf((await ask(`/${key}`)).body));
  expect(onward.body + onward.headers.location).toContain("warned.example/page");
});

test("a rule that leads elsewhere doesn’t warn", async () => {
  const rules = [{ device: ["mobile"], url: page }];
  const { key } = await make({ url: "https://example.com/", rules });
  expect((await ask(`/${key}`)).headers.location).toBe("https://example.com/");
});

test("a password comes before the warning, which reveals the host", async () => {
  const { key } = await make({ url: page, password: "open sesame" });
  const asked = await ask(`/${key}`);
  expect(asked.status).toBe(401);
  expect(asked.body).not.toContain("warned.example");
  const granted = await ask(`/${key}`, { method: "POST", form: "password=open+sesame" });
  const cookie = String(granted.headers["set-cookie"]).split(";")[0] ?? "";
  const shown = await ask(`/${key}`, { headers: { cookie } });
  expect(shown.body).toContain("warned.example");
  const onward = await ask(onwardOf(shown.body), { headers: { cookie } });
  expect(onward.headers.location).toBe(page);
});

test("the fallback URL of an expired link warns as well", async () => {
  const { key } = await make({ expiresAt: "2020-01-01T00:00:00Z", expiredUrl: page });
  const { status, body } = await ask(`/${key}`);
  expect(status).toBe(200);
  expect((await ask(onwardOf(body))).headers.location).toBe(page);
});

test("a change of the list applies to links in memory, without a restart", async () => {
  const { key } = await make({ url: "https://later.example/" });
  expect((await ask(`/${key}`)).status).toBe(302);
  const change = async (entries: string) => {
    const revision = await transaction(async (tx) => {
      const taken = await takeRevision(tx);
      await query(
        sql`
          INSERT INTO destination_list (kind, entries, revision)
          VALUES ('warn', ${entries}, ${taken})
          ON CONFLICT (kind) WHERE workspace_pk IS NULL
          DO UPDATE SET entries = ${entries}, revision = ${taken}`,
        tx,
      );
      return taken;
    });
    await publishChanges([{ entry: listsEntry(null), revision }]);
  };
  const reaches = async (status: number) => {
    const until = Date.now() + 5_000;
    while ((await ask(`/${key}`)).status !== status && Date.now() < until);
    return (await ask(`/${key}`)).status;
  };
  await change("later.example");
  expect(await reaches(200)).toBe(200);
  await change("");
  expect(await reaches(302)).toBe(302);
});

test("“Go back” leads to the page before, if it is a web page", async () => {
  const { key } = await make({ url: page });
  const backOf = async (referer: string) =>
    /class="button" href="([^"]+)"/.exec(
      (await ask(`/${key}`, { headers: { referer } })).body,
    )?.[1];
  expect(await backOf("https://mail.example/inbox")).toBe("https://mail.example/inbox");
  expect(await backOf("javascript:alert(1)")).toBe("about:blank");
});

test("pages of links name the link in the form for reports, and that of a missing one has none", async () => {
  const reportOf = async (path: string) =>
    /href="([^"]*\/report[^"]*)"/.exec((await ask(path)).body)?.[1];
  const ended = await make({ disabled: true });
  const secret = await make({ password: "open sesame" });
  const warned = await make({ url: page });
  const open = await make({});
  for (const { key } of [ended, secret, warned]) {
    const link = encodeURIComponent(`localhost/${key}`);
    expect(await reportOf(`/${key}`)).toBe(`http://localhost:3000/report?link=${link}`);
  }
  const preview = `http://localhost:3000/report?link=${encodeURIComponent(`localhost/${open.key}`)}`;
  expect(await reportOf(`/${open.key}+`)).toBe(preview);
  expect(await reportOf("/nobody")).toBeUndefined();
});

test("a host that an administrator adds to the warning list is warned before within a second, and no longer once removed", async () => {
  const { operator } = await makeTestOperator("warner");
  const instance = openInstanceLists(operator, "Reported by a bank");
  const change = (body: object) =>
    changeDestinationList(instance, "warn", changeListBody.parse(body));
  const { key } = await make({ url: "https://soon.example/page" });
  const statusOf = async () => (await ask(`/${key}`)).status;
  expect(await statusOf()).toBe(302);
  await change({ add: ["soon.example"] });
  await expect.poll(statusOf, { timeout: timeBound(1_000) }).toBe(200);
  expect((await getInstanceLists(operator)).warn).toMatchObject({
    kind: "warn",
    active: true,
    entries: ["warned.example", "soon.example"],
  });
  // It refuses no new link.
  await make({ url: "https://soon.example/other" });
  await change({ remove: ["soon.example"] });
  await expect.poll(statusOf, { timeout: timeBound(1_000) }).toBe(302);
});
