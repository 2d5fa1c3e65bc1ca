import { beforeAll, expect, test } from "vitest";
import { openLinks } from "#lib/links/creating";
import { query, sql } from "#lib/platform/postgres";
import { make } from "../test/links.ts";
import { makeTestOperator, makeTestPerson } from "../test/operators.ts";
import { makeTestScope } from "../test/scope.ts";
import { openTestStores } from "../test/stores.ts";
import { runFuxi } from "./fuxi-commands.ts";
import { run } from "./processes.ts";

openTestStores();
beforeAll(openLinks);

/** The command line in this process, which has its stores already. */
function fuxi(...args: string[]) {
  return runFuxi(args, (work) => work());
}

/** The program itself, as an administrator starts it. */
function start(...args: string[]) {
  return run(process.execPath, ["--import", "tsx", "scripts/fuxi.ts", ...args], {
    env: process.env,
  });
}

test("find shows a link with its workspace, as lines and as JSON, and leaves an entry by the system", async () => {
  const ada = await makeTestScope("ada");
  const [link] = await make(ada, [{ url: "https://example.com/found" }]);
  const { code, stdout } = await fuxi("find", link?.key ?? "");
  expect(code).toBe(0);
  expect(stdout).toContain(`${link?.shortLink}  active  ada-space  ${link?.id}`);
  const json = await fuxi("find", link?.key ?? "", "--json");
  expect(JSON.parse(json.stdout).links[0]).toMatchObject({ id: link?.id });
  const rows = await query(sql`
    SELECT actor, details FROM audit
    WHERE workspace_pk = ${ada.workspacePk} AND action = 'operator.find'`);
  expect(rows).toEqual(
    Array.from({ length: 2 }, () => ({ actor: "system", details: { via: "cli" } })),
  );
});

test("the program prints the figures and ends with 0, and with 1 and advice for a wrong command", async () => {
  const [{ code, stdout }, wrong] = await Promise.all([start("stats", "--json"), start("nothing")]);
  expect([wrong.code, wrong.stdout, wrong.stderr]).toEqual([
    1,
    "",
    expect.stringContaining("Unknown command"),
  ]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ clicksToday: 0, workspaces: { about: false } });
});

test("administrators are listed, added and removed with a reason; the last one stays", async () => {
  await makeTestOperator("root");
  const person = await makeTestPerson("next");
  expect((await fuxi("operator", "add", person.email, "--reason", "New colleague")).code).toBe(0);
  const { stdout } = await fuxi("operator", "list");
  expect(stdout).toContain(person.email);
  const [entry] = await query(sql`SELECT actor, details FROM audit WHERE action = 'operator.add'`);
  expect(entry).toEqual({
    actor: "system",
    details: { reason: "New colleague", email: person.email, via: "cli" },
  });
  expect((await fuxi("operator", "remove", "root@example.com")).code).toBe(0);
  const last = await fuxi("operator", "remove", person.email);
  expect([last.code, last.stderr]).toEqual([
    1,
    "This is the last administrator. Add another one first.\n",
  ]);
});

test("a feature is turned off and on, with a reason", async () => {
  const off = await fuxi("features", "off", "imports", "--reason", "Disk is nearly full");
  expect([off.code, off.stdout]).toEqual([
    0,
    expect.stringMatching(/^imports +off {2}Disk is nearly full$/m),
  ]);
  expect((await fuxi("features")).stdout).toMatch(/^shares +on$/m);
  const [entry] = await query(
    sql`SELECT actor, subject, details FROM audit WHERE action = 'operator.turn_feature_off'`,
  );
  const details = { reason: "Disk is nearly full", name: "imports", via: "cli" };
  expect(entry).toEqual({ actor: "system", subject: "imports", details });
  const on = await fuxi("features", "on", "imports", "--json");
  expect(JSON.parse(on.stdout)).toContainEqual(
    expect.objectContaining({ name: "imports", enabled: true }),
  );
  expect((await fuxi("features", "off", "gravity")).stderr).toMatch(/signUp, workspaces/);
});

test("a host is banned with a category, listed and lifted, and the audit log has both", async () => {
  const ban = ["ban", "host", "bad.example", "phishing", "--reason", "Fake sign-in"];
  const made = await fuxi(...ban, "--json");
  expect(made.code).toBe(0);
  const { id } = JSON.parse(made.stdout);
  expect((await fuxi("ban", "list")).stdout).toContain(
    `host  bad.example  phishing  no end  ${id}`,
  );
  expect(await fuxi(...ban)).toMatchObject({ code: 1 });
  expect((await fuxi("lift", id, "--reason", "A mistake")).stdout).toBe(
    "The ban on bad.example was lifted.\n",
  );
  expect((await fuxi("ban", "list")).stdout).toBe("No active bans\n");
  const rows = await query<{ action: string; actor: string }>(sql`
    SELECT action, actor FROM audit WHERE action LIKE 'operator.%_ban' OR action = 'operator.ban' ORDER BY pk`);
  expect(rows).toEqual([
    { action: "operator.ban", actor: "system" },
    { action: "operator.lift_ban", actor: "system" },
  ]);
  const wrong = await fuxi("ban", "host", "bad.example", "nonsense");
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("phishing|malware")]);
});

test("help ends with 0; unknown commands, options, accounts and short reasons end with 1 and advice", async () => {
  const help = await fuxi("help");
  expect([help.code, help.stdout.includes("operator add <email>")]).toEqual([0, true]);
  const wrong = [
    ["nothing"],
    ["constructor"],
    ["find"],
    ["stats", "more"],
    ["operator", "add"],
    ["operator", "add", "nobody@example.com"],
    ["operator", "list", "--unknown"],
    ["operator", "add", "next@example.com", "--reason", "ab"],
  ];
  for (const args of wrong) {
    const { code, stderr } = await fuxi(...args);
    expect([args, code, stderr.trim() !== ""]).toEqual([args, 1, true]);
  }
});
