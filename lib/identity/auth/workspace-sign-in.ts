/** Signs in at the OpenID provider of a workspace. */
import { newId } from "#lib/basics/ids";
import type { OidcIdentity } from "#lib/identity/oidc";
import type { PendingConnection } from "#lib/identity/single-sign-on";
import { type clientOfProvider, findAddressProblem } from "#lib/identity/sso-providers";
import { type GroupRole, roleOfGroups } from "#lib/identity/sso-providers/schema";
import { type CacheChange, publishChanges } from "#lib/platform/cache-sync";
import { type Connection, transaction } from "#lib/platform/postgres";
import { recordAudit } from "#lib/tenancy/audit";
import { mayInvitePeople } from "#lib/tenancy/instance-rules";
import { admitByProvider } from "#lib/tenancy/members";
import { type BannedAccount, findBannedAccount, type Person } from "./people.ts";
import { displayNameOf } from "./providers.ts";
import { emailAddress } from "./schema.ts";
import { findIdentity, findUserByEmail, insertIdentity, insertUser } from "./store.ts";

type OpenedProvider = NonNullable<Awaited<ReturnType<typeof clientOfProvider>>>;
type ProviderRow = NonNullable<OpenedProvider["row"]>;
type AddressProblem = NonNullable<Awaited<ReturnType<typeof findAddressProblem>>>;

export type WorkspaceSignIn =
  | { ok: true; user: Person }
  | { ok: false; code: AddressProblem | "sso_no_member" | "workspace_full" | "email_unproven" }
  /** The account exists: its owner connects it after signing in their own way. */
  | { ok: false; code: "connect"; pending: PendingConnection }
  | BannedAccount;

export async function signInToWorkspace(
  provider: string,
  row: ProviderRow,
  identity: OidcIdentity,
): Promise<WorkspaceSignIn> {
  const problem = await findAddressProblem(row, identity);
  if (problem) return { ok: false, code: problem };
  const email = emailAddress.safeParse(identity.email);
  if (!email.success) return { ok: false, code: "email_unproven" };
  const known = await findIdentity(provider, identity.subject);
  const banned = known && (await findBannedAccount(known.id));
  if (banned) return banned;
  const holder = known ? undefined : await findUserByEmail(email.data);
  // defence: sso-no-takeover
  if (holder) {
    const { subject } = identity;
    const pending = { provider, subject, email: email.data, userPk: holder.pk };
    return { ok: false, code: "connect", pending };
  }
  const mayJoin = row.joins && (await mayInvitePeople(null));
  const admission = {
    row,
    role: roleOfGroups(row.groupRoles, identity.groups, row.defaultRole),
    joinsAs: mayJoin ? row.defaultRole : undefined,
  };
  const person = known ?? {
    id: newId("user"),
    email: email.data,
    name: displayNameOf(identity.name, email.data),
  };
  let changes: CacheChange[] = [];
  const outcome = await transaction<WorkspaceSignIn>(async (tx) => {
    const pk = known?.pk ?? (await insertPerson(tx, person, provider, identity.subject));
    const admitted = await admit(tx, { pk, id: person.id }, admission);
    if (!admitted.ok) throw new Refused(admitted.code);
    changes = admitted.changes;
    return { ok: true, user: person };
  }).catch((error: unknown) => {
    // The transaction takes the new account back.
    if (error instanceof Refused) return { ok: false, code: error.code } as const;
    throw error;
  });
  await publishChanges(changes);
  return outcome;
}

class Refused extends Error {
  readonly code: "sso_no_member" | "workspace_full";

  constructor(code: Refused["code"]) {
    super(code);
    this.code = code;
  }
}

interface Admission {
  row: ProviderRow;
  role: GroupRole | undefined;
  joinsAs: GroupRole | undefined;
}

function admit(
  tx: Connection,
  user: { pk: number; id: string },
  { row, role, joinsAs }: Admission,
) {
  return admitByProvider(tx, { workspacePk: row.workspacePk, user, role, joinsAs });
}

/** A proven domain proves its addresses: who controls its DNS controls its mail. */
async function insertPerson(
  tx: Connection,
  person: Person,
  provider: string,
  subject: string,
): Promise<number> {
  const row = { ...person, passwordHash: null, operator: false, proven: true };
  const pk = await insertUser(tx, row);
  if (pk === undefined || !(await insertIdentity(tx, provider, subject, person.id))) {
    throw new Error("The account was created meanwhile");
  }
  const details = { operator: false, provider };
  await recordAudit(tx, [{ workspacePk: null, actor: person.id, action: "user.create", details }]);
  return pk;
}
