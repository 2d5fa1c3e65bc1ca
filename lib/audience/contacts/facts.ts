/** The encrypted parts of contacts, bound to the ids of their rows. */
import type { PeopleKeys } from "#lib/tenancy/people-keys";
import type { ContactFacts, GivenAnswer, WechatFacts } from "./schema.ts";

interface SealedRow {
  id: string;
  key_version: number;
  sealed: Buffer;
}

export function sealFacts(keys: PeopleKeys, facts: ContactFacts, id: string): Buffer {
  return keys.seal(JSON.stringify([facts.phone, facts.email, facts.name]), id);
}

export function unsealFacts(
  keys: PeopleKeys,
  { id, key_version: version, sealed }: SealedRow,
): ContactFacts {
  const [phone, email, name]: (string | null)[] = JSON.parse(keys.unseal({ version, sealed }, id));
  return { phone: phone ?? null, email: email ?? null, name: name ?? null };
}

export function sealGiven(keys: PeopleKeys, given: readonly GivenAnswer[], id: string): Buffer {
  return keys.seal(JSON.stringify(given.map(({ label, text }) => [label, text])), id);
}

export function unsealGiven(
  keys: PeopleKeys,
  { id, key_version: version, sealed }: SealedRow,
): GivenAnswer[] {
  const given: [string, string][] = JSON.parse(keys.unseal({ version, sealed }, id));
  return given.map(([label, text]) => ({ label, text }));
}

export function sealUser(keys: PeopleKeys, user: WechatFacts, id: string): Buffer {
  const { appId, openid, unionid, nickname, picture } = user;
  return keys.seal(JSON.stringify([appId, openid, unionid, nickname, picture]), id);
}

export function unsealUser(
  keys: PeopleKeys,
  { id, key_version: version, sealed }: SealedRow,
): WechatFacts {
  const [appId, openid, unionid, nickname, picture]: (string | null)[] = JSON.parse(
    keys.unseal({ version, sealed }, id),
  );
  return {
    appId: appId ?? "",
    openid: openid ?? "",
    unionid: unionid ?? null,
    nickname: nickname ?? null,
    picture: picture ?? null,
  };
}

/** The phone, otherwise the email address. Undefined if the form asked for neither. */
export function identityOf({ phone, email }: ContactFacts): string | undefined {
  return phone ?? (email === null ? undefined : emailIdentity(email));
}

/** Identifies a user of an official account, together with the AppID. */
export function openidIdentity(openid: string): string {
  return `wechat openid ${openid}`;
}

export function unionIdentity(unionid: string): string {
  return `wechat unionid ${unionid}`;
}

export function emailIdentity(email: string): string {
  return `mailto:${email.toLowerCase()}`;
}
