/** For tests of the back office: administrators with a second factor, and their sessions. */
import { encode } from "next-auth/jwt";
import { newId } from "#lib/basics/ids";
import { beginSession, findSession } from "#lib/identity/sessions";
import type { Proof, SessionUser } from "#lib/identity/sessions/schema";
import { query, sql } from "#lib/platform/postgres";
import { type OperatorScope, openOperator } from "#lib/tenancy/operators";

export const testOrigin = { address: "203.0.113.9", agent: "Mozilla/5.0 Firefox/140.0" };

interface Kind {
  operator: boolean;
  factor: boolean;
}

/** A signed-in person whose address is confirmed. */
export async function makeTestPerson(
  name: string,
  { operator, factor }: Kind = { operator: false, factor: false },
): Promise<SessionUser> {
  const userId = newId("user");
  await query(sql`
    INSERT INTO app_user (id, email, name, operator, email_proven_at, factor_since)
    VALUES (
      ${userId}, ${`${name}@example.com`}, ${name}, ${operator}, now(),
      CASE WHEN ${factor}::bool THEN now() END)`);
  const proofs: Proof[] = factor ? ["password", "factor"] : ["password"];
  const user = await findSession(await beginSession(userId, testOrigin.agent, proofs));
  if (!user) throw new Error("The session is none");
  return user;
}

/** An administrator with a second factor. */
export async function makeTestOperator(
  name: string,
): Promise<{ user: SessionUser; operator: OperatorScope; cookie: string }> {
  const user = await makeTestPerson(name, { operator: true, factor: true });
  const access = await openOperator(user, testOrigin);
  if (!access.ok) throw new Error(access.code);
  return { user, operator: access.operator, cookie: await sessionCookieOf(user) };
}

/** The cookie of a session. */
export async function sessionCookieOf({ sessionId }: SessionUser): Promise<string> {
  const secret = String(process.env["FUXI_SESSION_SECRET"]);
  return `fuxi-session=${await encode({ token: { sid: sessionId }, secret })}`;
}
