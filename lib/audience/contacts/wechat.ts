/**
 * Contacts as users of official accounts, identified by openid, and across accounts by unionid.
 *
 * A visitor who comes back from WeChat is already a contact, possibly an unknown one. If another
 * contact has the same user, the two are the same person. The contact without phone and email
 * address is merged into the other, with its answers, clicks and id. If both have a phone or an
 * email address, both stay, and the user belongs to the newer one.
 */
import {
  type ClaimedCode,
  findContactOfCode,
  finishWechatCode,
  moveWechatCodes,
} from "#lib/audience/wechat-codes";
import { newUuid, presentId } from "#lib/basics/ids";
import type { Connection } from "#lib/platform/postgres";
import { holdVersion, type PeopleKeys } from "#lib/tenancy/people-keys";
import {
  openidIdentity,
  sealFacts,
  sealUser,
  unionIdentity,
  unsealFacts,
  unsealUser,
} from "./facts.ts";
import { addContactEvent } from "./saving.ts";
import type { WechatFacts } from "./schema.ts";
import { type ContactRow, deleteContact, lockByPk, mergeContact } from "./store.ts";
import {
  findFormId,
  findUser,
  lockWechatUsers,
  makeLeadDue,
  moveHistory,
  putUser,
} from "./wechat-store.ts";

/**
 * Adds a WeChat user to the contact of a code. `isLast`: nothing more follows, so webhooks get an
 * event. False: the contact was erased.
 */
export async function addWechatUser(
  tx: Connection,
  keys: PeopleKeys,
  code: ClaimedCode,
  { isLast, ...user }: WechatFacts & { isLast: boolean },
): Promise<boolean> {
  const { workspacePk } = keys;
  await lockWechatUsers(tx, workspacePk);
  await holdVersion(tx, keys);
  const waiting = await findContactOfCode(tx, code);
  const own = waiting && (await lockByPk(tx, workspacePk, waiting.contactPk));
  if (!own) return false;
  const { isNew } = waiting;
  const { kept, ended } = await putUserOf(tx, keys, own, user);
  if (isNew && isLast) await makeLeadDue(tx, kept.pk, code.link_pk);
  // Webhooks got no event about a new contact, so none mentions that it was merged.
  const merged = ended && !(isNew && ended.pk === own.pk) ? presentId("con", ended.id) : null;
  if (isLast || merged !== null) {
    const type = isNew && !ended ? "contact.created" : "contact.updated";
    await addUserEvent(tx, code, { own, kept, type, merged });
  }
  return true;
}

/** Stores what we know about the user in the contact that stays. */
async function putUserOf(
  tx: Connection,
  keys: PeopleKeys,
  own: ContactRow,
  user: WechatFacts,
): Promise<{ kept: ContactRow; ended: ContactRow | undefined }> {
  const { workspacePk, version } = keys;
  const openid = keys.hash(openidIdentity(user.openid));
  const union = user.unionid === null ? null : keys.hash(unionIdentity(user.unionid));
  const hashes = { workspacePk, appId: user.appId, openid, union };
  const known = await findUser(tx, hashes);
  const isOwn = known === undefined || known.contact_pk === own.pk;
  const other = isOwn ? undefined : await lockByPk(tx, workspacePk, known.contact_pk);
  const decided = decide(keys, own, other);
  const { kept, ended } = decided;
  if (ended) await merge(tx, keys, ended, kept);
  const same = known?.is_same ? known : undefined;
  const id = same?.id ?? newUuid();
  const sealed = sealUser(keys, same ? withKnown(user, unsealUser(keys, same)) : user, id);
  await putUser(tx, { ...hashes, id, contactPk: kept.pk, version, sealed, now: new Date() });
  return decided;
}

/** Keeps earlier values that are not shared this time. */
function withKnown(user: WechatFacts, before: WechatFacts): WechatFacts {
  return {
    ...user,
    unionid: user.unionid ?? before.unionid,
    nickname: user.nickname ?? before.nickname,
    picture: user.picture ?? before.picture,
  };
}

interface UserEvent {
  own: ContactRow;
  kept: ContactRow;
  type: "contact.created" | "contact.updated";
  merged: string | null;
}

async function addUserEvent(
  tx: Connection,
  code: ClaimedCode,
  { own, kept, type, merged }: UserEvent,
) {
  const { workspace_pk: workspacePk, form_version: version, link_pk: linkPk } = code;
  const form = { id: await findFormId(tx, code.form_pk), version, workspacePk };
  const { country, marketing } = own;
  const answer = {
    row: kept,
    submission: { form, linkPk, marketing, country },
    phoneConfirmed: kept.phone_confirmed,
    now: kept.created_at,
  };
  await addContactEvent(tx, answer, type, merged);
}

function decide(
  keys: PeopleKeys,
  own: ContactRow,
  other: ContactRow | undefined,
): { kept: ContactRow; ended: ContactRow | undefined } {
  if (!other) return { kept: own, ended: undefined };
  if (isNameless(keys, own)) return { kept: other, ended: own };
  if (isNameless(keys, other)) return { kept: own, ended: other };
  return { kept: own, ended: undefined };
}

function isNameless(keys: PeopleKeys, row: ContactRow): boolean {
  const { phone, email } = unsealFacts(keys, row);
  return phone === null && email === null;
}

async function merge(tx: Connection, keys: PeopleKeys, ended: ContactRow, kept: ContactRow) {
  const { workspacePk, version } = keys;
  const [before, facts] = [unsealFacts(keys, ended), unsealFacts(keys, kept)];
  const merged = { ...facts, name: facts.name ?? before.name };
  await moveHistory(tx, { workspacePk, fromPk: ended.pk, toPk: kept.pk });
  await moveWechatCodes(tx, ended.pk, kept.pk);
  await mergeContact(tx, { kept, ended, version, sealed: sealFacts(keys, merged, kept.id) });
  await deleteContact(tx, { workspacePk, id: ended.id });
}

/** Ends a code without a user. Deletes a contact that was only created for it. */
export async function endWechatCode(tx: Connection, code: ClaimedCode): Promise<void> {
  const { workspace_pk: workspacePk } = code;
  await lockWechatUsers(tx, workspacePk);
  const waiting = await findContactOfCode(tx, code);
  const row = waiting?.isNew ? await lockByPk(tx, workspacePk, waiting.contactPk) : undefined;
  if ((await finishWechatCode(tx, code)) && row) {
    await deleteContact(tx, { workspacePk, id: row.id });
  }
}
