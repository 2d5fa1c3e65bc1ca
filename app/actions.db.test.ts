/**
 * Every server action and every route of the dashboard, called by people who may not: nobody, the owner of another
 * workspace, someone who was removed, a person whose role is too low, a member without the folder.
 *
 * Actions and routes are found in the sources. One that is missing in the tables below fails the test, so that it cannot
 * be forgotten; one line says who may use it, and has a valid call.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, test, vi } from "vitest";
import { newId } from "#lib/basics/ids";
import { createLinks, openLinks } from "#lib/links/creating";
import { createFolder } from "#lib/links/folders";
import { createFolderBody } from "#lib/links/folders/schema";
import { query, sql } from "#lib/platform/postgres";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { type Role, roles } from "#lib/tenancy/access/schema";
import {
  type ActionExample,
  operatorActions,
  personalActions,
  workspaceActions,
} from "../test/action-examples.ts";
import { type Action, findActions, root, sources } from "../test/actions.ts";
import { cookieOf } from "../test/api-callers.ts";
import {
  makeSubjects,
  missingThings,
  openSubjects,
  type TestSubjects,
} from "../test/api-subjects.ts";
import { makeTestOperator, makeTestPerson, sessionCookieOf } from "../test/operators.ts";
import { joinTestScope, makeTestScope } from "../test/scope.ts";
import { openTestStores } from "../test/stores.ts";

/** A call of everything there is. */
const walkTimeoutMs = 240_000;

const request = vi.hoisted(() => ({ cookie: "" }));
vi.mock("next/headers", () => ({
  headers: () =>
    Promise.resolve(
      new Headers({ cookie: request.cookie, "x-forwarded-for": "203.0.113.7", "user-agent": "x" }),
    ),
  cookies: () => Promise.resolve({ get: () => undefined, set: () => {}, delete: () => {} }),
}));
vi.mock("next/cache", () => ({ revalidatePath: () => {} }));
vi.mock("next/navigation", () => ({
  notFound: () => {
    throw new Error("page notFound");
  },
  redirect: (to: string) => {
    throw new Error(`page ${to.startsWith("/signin") ? "unauthorized" : to}`);
  },
}));
vi.mock("next-intl/server", () => ({
  getTranslations: () => Promise.resolve((key: string) => key),
  getLocale: () => Promise.resolve("en"),
  getRequestConfig: () => undefined,
}));

openTestStores({ FUXI_DEMO: "public" });

/** Who may use a route: a role, or anyone with the secret in its address. */
const routes: Record<string, Role | "anyone"> = {
  "app/app/[workspace]/settings/export/[id]/route.ts": "admin",
  "app/app/[workspace]/settings/own-visits/route.ts": "viewer",
  "app/app/[workspace]/site-icons/route.ts": "viewer",
  "app/app/[workspace]/analytics/demo/route.ts": "anyone",
  "app/docs/search/[locale]/route.ts": "anyone",
  "app/share/[token]/analytics/route.ts": "anyone",
  "app/share/[token]/analytics/export/route.ts": "anyone",
  "app/cli.tgz/route.ts": "anyone",
  "app/extension.zip/route.ts": "anyone",
  "app/api/auth/[...nextauth]/route.ts": "anyone",
};

let found: Map<string, Action>;
const url = "https://example.com/";
let ada: WorkspaceScope;
let eve: WorkspaceScope;
let adas: TestSubjects;
/** The workspace that visitors may read. */
let demo: WorkspaceScope;
const people = new Map<string, string>();

beforeAll(async () => {
  await openLinks();
  ada = await makeTestScope("ada");
  eve = await makeTestScope("eve");
  demo = await makeTestScope("demo");
  await query(sql`UPDATE workspace SET demo = true WHERE pk = ${demo.workspacePk}`);
  adas = await makeSubjects(ada);
  for (const role of roles) {
    people.set(role, await cookieOf(await joinTestScope(ada, `a-${role}`, role)));
  }
  people.set("ada", await cookieOf(ada));
  people.set("eve", await cookieOf(eve));
  const removed = await joinTestScope(ada, "removed", "admin");
  people.set("removed", await cookieOf(removed));
  await query(sql`
    DELETE FROM membership
    WHERE workspace_pk = ${ada.workspacePk} AND user_pk = ${removed.userPk}`);
  found = await findActions();
});

/** One word for an outcome: `done`, the message of the form, or what the page became. */
function wordOf(answer: unknown): string {
  if (!(answer instanceof Object) || !("ok" in answer) || answer.ok === true) return "done";
  return "form" in answer ? String(answer.form) : JSON.stringify(answer);
}

interface Outcome {
  word: string;
  text: string;
}

async function call(who: string, name: string, given: readonly unknown[]): Promise<Outcome> {
  request.cookie = people.get(who) ?? "";
  const action = found.get(name);
  if (!action) throw new Error(`There is no action ${name}: remove it from the table`);
  try {
    const answer = await action(...given);
    return { word: wordOf(answer), text: JSON.stringify(answer) ?? "" };
  } catch (error) {
    const [, word] = /^page (\S+)$/.exec(error instanceof Error ? error.message : "") ?? [];
    if (word === undefined) throw error;
    return { word, text: word };
  }
}

/** The actions with a wrong outcome. */
async function failing<One>(
  examples: Readonly<Record<string, One>>,
  check: (name: string, example: One) => Promise<string | undefined>,
): Promise<string[]> {
  const problems: string[] = [];
  for (const [name, example] of Object.entries(examples)) {
    const problem = await check(name, example);
    if (problem !== undefined) problems.push(`${name}: ${problem}`);
  }
  return problems;
}

function unless(wanted: string, { word, text }: Outcome): string | undefined {
  return word === wanted ? undefined : `${word} ${text.slice(0, 200)}`;
}

test("the tables have every action and every route of the sources, and no other", () => {
  const tables = [workspaceActions, personalActions, operatorActions];
  const declared = tables.flatMap((table) => Object.keys(table));
  expect(declared.toSorted()).toEqual([...found.keys()].toSorted());
  expect(Object.keys(routes).toSorted()).toEqual(sources(/\broute\.ts$/).toSorted());
});

test("without a session every action says so, in the public demo too, except those for anyone", async () => {
  const all = { ...workspaceActions, ...personalActions, ...operatorActions };
  const problems = await failing(all, async (name, { given, ...example }) => {
    if ("who" in example && example.who === "anyone") return undefined;
    const slugs = name in workspaceActions ? [[ada.slug], [demo.slug]] : [[]];
    for (const slug of slugs) {
      const outcome = await call("nobody", name, [...slug, ...given(adas)]);
      if (outcome.word !== "unauthorized") return unless("unauthorized", outcome);
    }
    return undefined;
  });
  expect(problems).toEqual([]);
});

test("for the owner of another workspace, and for someone who was removed, the workspace does not exist", async () => {
  const problems = await failing(workspaceActions, async (name, { given }) => {
    for (const who of ["eve", "removed"]) {
      const problem = unless("notFound", await call(who, name, [ada.slug, ...given(adas)]));
      if (problem !== undefined) return `${who}: ${problem}`;
    }
    return undefined;
  });
  expect(problems).toEqual([]);
});

/** What a session may call that is limited to a workspace: it neither changes nor shows anything of the account. */
const harmless = new Set([
  "findProofAction",
  "proveAction",
  "askPresenceAction",
  "provePasskeyAction",
  "closeAnnouncementAction",
]);

test("a session of an OpenID provider of another workspace calls nothing here, on the account or in the back office", async () => {
  const cookie = await cookieOf(ada);
  people.set("sso", cookie);
  await query(sql`
    WITH provider AS (
      INSERT INTO sso_provider
        (id, workspace_pk, name, issuer, client_id, sealed, scope, groups_claim, default_role)
      VALUES ('sso_1', ${eve.workspacePk}, 'T', ${url}, 'c', '', 'openid', 'groups', 'member')
      RETURNING pk
    )
    UPDATE session
    SET sso_provider_pk = provider.pk
    FROM provider
    WHERE user_pk = ${ada.userPk} AND created_at = (
      SELECT max(created_at) FROM session WHERE user_pk = ${ada.userPk})`);
  const ofAccount = await failing(personalActions, async (name, { who, given }) => {
    if (who === "anyone" || harmless.has(name)) return undefined;
    const { word } = await call("sso", name, given(adas));
    return word === "ssoSession" || word === "unauthorized" ? undefined : word;
  });
  const ofWorkspace = await failing(workspaceActions, async (name, { given }) =>
    unless("notFound", await call("sso", name, [ada.slug, ...given(adas)])),
  );
  const ofOffice = await failing(operatorActions, async (name, { given }) =>
    unless("ssoSession", await call("sso", name, given(adas))),
  );
  expect([...ofAccount, ...ofWorkspace, ...ofOffice]).toEqual([]);
});

test("for everyone but administrators with a second factor, actions of the back office find nothing", async () => {
  const bare = await makeTestPerson("bare", { operator: true, factor: false });
  const full = await makeTestOperator("full");
  people.set("bare", await sessionCookieOf(bare));
  people.set("full", full.cookie);
  const problems = await failing(operatorActions, async (name, { given, answer = "done" }) => {
    const wordOfCall = async (who: string) => (await call(who, name, given(adas))).word;
    const words = [];
    for (const who of ["ada", "eve", "viewer", "bare", "full"]) words.push(await wordOfCall(who));
    const wanted = ["notFound", "notFound", "notFound", "factorMissing", answer];
    return words.join() === wanted.join() ? undefined : words.join();
  });
  expect(problems).toEqual([]);
});

/** The roles below one. */
function rolesBelow(who: string): readonly Role[] {
  const names: readonly string[] = roles;
  return roles.slice(names.indexOf(who) + 1);
}

/** The answers to someone whose role is too low. */
const refusals = new Set(["forbidden", "transferForbidden", "ownerOnly"]);

test("a role below the needed one is refused", async () => {
  const problems = await failing(workspaceActions, async (name, { who, given }) => {
    const lower = rolesBelow(who);
    for (const role of lower) {
      const { word } = await call(role, name, [ada.slug, ...given(adas)]);
      if (!refusals.has(word)) return `${role}: ${word}`;
    }
    return undefined;
  });
  expect(problems).toEqual([]);
});

function withoutNames(text: string, subjects: TestSubjects): string {
  const names = Object.values(subjects).toSorted((a, b) => b.length - a.length);
  return names.reduce((left, name) => left.replaceAll(name, "…"), text);
}

/** What differs between the answer for an object and that for a missing one. */
async function difference(
  who: string,
  slug: string,
  name: string,
  example: ActionExample,
  theirs: TestSubjects,
): Promise<string | undefined> {
  const none = missingThings();
  const missing = { ...theirs };
  for (const one of example.names ?? []) missing[one] = none[one];
  const known = await call(who, name, [slug, ...example.given(theirs)]);
  const unknown = await call(who, name, [slug, ...example.given(missing)]);
  const same = withoutNames(known.text, theirs) === withoutNames(unknown.text, missing);
  return same && known.word === unknown.word ? undefined : `${known.text}, not ${unknown.text}`;
}

test("an object of another workspace is answered exactly like a missing one", async () => {
  const problems = await failing(workspaceActions, async (name, example) => {
    if (!example.names) return undefined;
    return await difference("eve", eve.slug, name, example, adas);
  });
  expect(problems).toEqual([]);
});

test("for a member, what is in a closed folder is answered exactly like a missing object", async () => {
  const closed = createFolderBody.parse({ name: "Closed", accessLevel: null });
  const { id: folder } = await createFolder(ada, closed);
  const key = "closed-key";
  const [outcome] = await createLinks(ada, [{ url, folderId: folder, key }]);
  if (!outcome?.ok) throw new Error(outcome?.message);
  const hidden = { ...adas, folder, key, link: outcome.link.id };
  const problems = await failing(workspaceActions, async (name, example) => {
    const isHidden = example.names?.some((one) => ["link", "folder", "key"].includes(one));
    if (!isHidden) return undefined;
    return await difference("member", ada.slug, name, example, hidden);
  });
  expect(problems).toEqual([]);
});

test("routes of the dashboard are closed to everyone without the role", async () => {
  const files = Object.entries(routes).filter(([, who]) => who !== "anyone");
  const get = async (file: string, who: string): Promise<string> => {
    const { GET } = await import(pathToFileURL(join(root, file)).href);
    request.cookie = people.get(who) ?? "";
    const params = Promise.resolve({ workspace: ada.slug, id: newId("out") });
    try {
      const response: Response = await GET(new Request("http://localhost:3000/x?site=x"), {
        params,
      });
      return String(response.status);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
  for (const [file, who] of files) {
    const lower = rolesBelow(who);
    expect([file, await get(file, "nobody")]).toEqual([file, "page unauthorized"]);
    for (const other of ["eve", "removed"]) {
      expect([file, await get(file, other)]).toEqual([file, "page notFound"]);
    }
    for (const role of lower)
      expect([file, role, await get(file, role)]).toEqual([file, role, "403"]);
    expect([file, await get(file, "ada")]).not.toEqual([file, "403"]);
  }
});

test("visitors of the public demo get its stats and no icon, and of other workspaces nothing", async () => {
  const icons = await import("./app/[workspace]/site-icons/route.ts");
  const stats = await import("./app/[workspace]/analytics/demo/route.ts");
  request.cookie = "";
  const get = async ({ GET }: typeof icons | typeof stats, { slug }: WorkspaceScope) => {
    const params = Promise.resolve({ workspace: slug });
    return await GET(new Request("http://localhost:3000/x"), { params }).then(
      ({ status, headers }) => [status, headers.get("cache-control")],
      (error: unknown) => String(error),
    );
  };
  expect(await get(stats, demo)).toEqual([200, "no-store"]);
  expect(await get(stats, ada)).toEqual([404, "no-store"]);
  expect(await get(icons, demo)).toEqual([204, null]);
  expect(await get(icons, ada)).toBe("Error: page unauthorized");
});

test("members get the page that excludes their browser, on domains of their workspace only", async () => {
  const { GET } = await import("./app/[workspace]/settings/own-visits/route.ts");
  const open = async (who: string, domain: string) => {
    request.cookie = people.get(who) ?? "";
    const url = `http://localhost:3000/x?domain=${domain}`;
    const answer = GET(new Request(url), { params: Promise.resolve({ workspace: ada.slug }) });
    return await answer.then(
      ({ headers }) => headers.get("location"),
      (error: unknown) => String(error),
    );
  };
  const page = `//${adas.domain}`;
  expect(await open("a-viewer", adas.domain)).toBe("Error: page unauthorized");
  expect(await open("viewer", adas.domain)).toContain(page);
  const missing = "Error: page notFound";
  for (const domain of ["localhost", "none.example"])
    expect(await open("ada", domain)).toBe(missing);
  expect(await open("eve", adas.domain)).toBe(missing);
});

test("these files open for visitors of the public demo, and every other page asks for a member", () => {
  const files = (name: RegExp, calls: RegExp) =>
    sources(name).filter(
      (file) => file.startsWith("app/app/") && calls.test(readFileSync(join(root, file), "utf8")),
    );
  const opening = files(/\.tsx?$/, /\b(?:requireReader|readLink|openPublicDemo)\(/);
  const asking = files(/\bpage\.tsx$/, /\b(?:requireScope|openLink|openCampaign)\(/);
  const pages = sources(/\bpage\.tsx$/).filter((file) => file.startsWith("app/app/[workspace]/"));
  expect(pages.filter((file) => !(opening.includes(file) || asking.includes(file)))).toEqual([
    // Only leads to the list of links.
    "app/app/[workspace]/page.tsx",
  ]);
  expect(opening.toSorted()).toEqual([
    "app/app/[workspace]/analytics/demo/route.ts",
    "app/app/[workspace]/analytics/page.tsx",
    "app/app/[workspace]/layout.tsx",
    "app/app/[workspace]/links/[id]/open-link.ts",
    "app/app/[workspace]/links/[id]/page.tsx",
    "app/app/[workspace]/links/page.tsx",
    "app/app/[workspace]/site-icons/route.ts",
    "app/app/access.ts",
  ]);
});

test("the same calls succeed for the owner, and the refused ones have changed nothing", {
  timeout: walkTimeoutMs,
}, async () => {
  const [row] = await query<{ title: string | null; archived: boolean }>(sql`
    SELECT title, archived FROM link WHERE key = ${adas.key} AND workspace_pk = ${ada.workspacePk}`);
  expect(row).toEqual({ title: null, archived: false });
  const { leaveAction, deleteWorkspaceAction, ...others } = workspaceActions;
  // The last ones: afterwards there is no workspace to call.
  const ordered = { ...others, leaveAction, deleteWorkspaceAction } as typeof workspaceActions;
  await query(sql`
    DELETE FROM membership
    WHERE workspace_pk = ${ada.workspacePk} AND user_pk <> ${ada.userPk}`);
  const subjects = openSubjects(ada);
  const problems = await failing(ordered, async (name, { given, answer = "done" }) => {
    const outcome = await call("ada", name, [ada.slug, ...given(await subjects.for(given))]);
    subjects.outdate(given);
    return unless(answer, outcome);
  });
  expect(problems).toEqual([]);
});
