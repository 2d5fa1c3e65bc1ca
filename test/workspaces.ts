/** Workspaces for end-to-end tests of other features: a form for each would take a third of their time. */
import { randomUUID } from "node:crypto";

/** Creates an empty workspace of a person, like the form, and returns its slug. Needs the settings of the instance. */
export async function giveWorkspace(userId: string): Promise<string> {
  const { setUpWorkspace } = await import("#lib/tenancy/workspaces");
  const slug = `acme-${randomUUID().slice(0, 8)}`;
  const created = await setUpWorkspace(userId, { name: "Acme", slug, zone: "UTC" });
  if (!created.ok) throw new Error(`The workspace ${slug} was refused: ${created.code}`);
  // The tests of a worker share one sign-in, which would be too old for what each of them does.
  const { query, sql } = await import("#lib/platform/postgres");
  await query(sql`
    UPDATE session
    SET password_at = now()
    FROM app_user
    WHERE app_user.pk = session.user_pk
      AND app_user.id = ${userId}`);
  return slug;
}

/** An account with an empty workspace, and the cookie of its session. */
export interface GivenAccount {
  email: string;
  password: string;
  slug: string;
  userId: string;
  cookie: { name: string; value: string; url: string };
}

/** Creates an account and signs it in, like the forms, whose three pages would be loaded for most tests. */
export async function giveAccount(): Promise<GivenAccount> {
  await import("./cheap-passwords.ts");
  const { signUp } = await import("#lib/identity/auth");
  const { beginSession, findSession } = await import("#lib/identity/sessions");
  const { sessionCookieOf } = await import("./operators.ts");
  const unique = randomUUID().slice(0, 8);
  const email = `ada-${unique}@example.com`;
  const password = `correct horse ${unique}`;
  const octets = [1, 2, 3].map(() => Math.floor(Math.random() * 256));
  const created = await signUp({ name: "Ada Byron", email, password }, `10.${octets.join(".")}`);
  if (!created.ok) throw new Error(`The account was refused: ${created.code}`);
  const userId = created.user.id;
  const slug = await giveWorkspace(userId);
  const user = await findSession(
    await beginSession(userId, "Mozilla/5.0 Chrome/142.0.0.0", ["password"]),
  );
  if (!user) throw new Error("The session was not created");
  const [name = "", value = ""] = (await sessionCookieOf(user)).split("=");
  const url = process.env["TEST_BASE_URL"] ?? "";
  return { email, password, slug, userId, cookie: { name, value, url } };
}

/** Closes the connections opened by creating workspaces. */
export async function closeWorkspaces(): Promise<void> {
  const { closeAll } = await import("#lib/platform/processes");
  await closeAll();
}

/** Creates folders, without a call for each. */
export async function giveFolders(slug: string, names: readonly string[]): Promise<void> {
  const { newId } = await import("#lib/basics/ids");
  const { query, sql } = await import("#lib/platform/postgres");
  const ids = names.map(() => newId("fold"));
  await query(sql`
    INSERT INTO folder (id, workspace_pk, name, access_level)
    SELECT given.id, workspace.pk, given.name, 'write'
    FROM unnest(${ids}::text[], ${names}::text[]) AS given (id, name), workspace
    WHERE workspace.slug = ${slug}`);
}

/** Makes a workspace the demo of an instance, which is set up without one for tests. */
export async function turnIntoDemo(slug: string): Promise<void> {
  const { query, sql } = await import("#lib/platform/postgres");
  await query(sql`UPDATE workspace SET demo = true WHERE slug = ${slug}`);
}

/** Makes what a person has proved in their sessions too old for sensitive changes. */
export async function makeProofsOld(email: string): Promise<void> {
  const { query, sql } = await import("#lib/platform/postgres");
  await query(sql`
    UPDATE session
    SET password_at = password_at - interval '1 day', factor_at = factor_at - interval '1 day',
      passkey_at = passkey_at - interval '1 day'
    FROM app_user
    WHERE app_user.pk = session.user_pk
      AND app_user.email = ${email}`);
}

/** Makes a person an administrator of the instance, with a confirmed email address. */
export async function makeOperator(email: string): Promise<void> {
  const { query, sql } = await import("#lib/platform/postgres");
  await query(sql`
    UPDATE app_user
    SET operator = true, email_proven_at = coalesce(email_proven_at, now())
    WHERE email = ${email}`);
}

/** Makes a person a plain one: the first account of an instance is its administrator. */
export async function makePlain(userId: string): Promise<void> {
  const { query, sql } = await import("#lib/platform/postgres");
  await query(sql`UPDATE app_user SET operator = false WHERE id = ${userId}`);
}

/** Makes a person an administrator with a second factor, which their sessions have just passed. */
export async function giveOperator(email: string): Promise<void> {
  const { query, sql } = await import("#lib/platform/postgres");
  await query(sql`
    UPDATE app_user
    SET operator = true, email_proven_at = now(), factor_since = now()
    WHERE email = ${email}`);
  await query(sql`
    UPDATE session
    SET factor_at = now()
    FROM app_user
    WHERE app_user.pk = session.user_pk
      AND app_user.email = ${email}`);
}

/** As if the provider of the workspace had removed the person who created its keys. */
export async function pauseKeys(slug: string): Promise<void> {
  const { query, sql } = await import("#lib/platform/postgres");
  await query(sql`
    UPDATE api_key
    SET paused_at = now()
    FROM workspace
    WHERE workspace.pk = api_key.workspace_pk
      AND workspace.slug = ${slug}`);
}

/** As if its DNS record had been found: the server of DNS records belongs to the test of domains. */
export async function proveEmailDomain(host: string): Promise<void> {
  const { query, sql } = await import("#lib/platform/postgres");
  await query(sql`UPDATE sso_domain SET proven_at = now() WHERE host = ${host}`);
}
