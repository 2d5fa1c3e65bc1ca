/**
 * Passkeys (WebAuthn). Each is asked for user verification (a fingerprint, a face or a PIN), so it
 * stands for the password and the second factor together.
 *
 * The relying party is the host of FUXI_URL. Browsers offer passkeys only for names with TLS, and
 * for localhost.
 */
import { isIP } from "node:net";
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { z } from "zod";
import { newId } from "#lib/basics/ids";
import { config } from "#lib/platform/config";
import { log } from "#lib/platform/log";
import type { Connection } from "#lib/platform/postgres";
import { prisma } from "#lib/platform/prisma";
import { acceptChallenge, newChallenge, type PasskeyPurpose } from "./challenges.ts";
import { type Passkey, passkeyAnswerCharsMax, passkeysMax } from "./schema.ts";
import {
  type CredentialRow,
  findByCredential,
  insertPasskey,
  isKept,
  listCredentials,
  lockOwner,
  noteUse,
} from "./store.ts";

export type { PasskeyPurpose } from "./challenges.ts";
export { deletePasskey, deletePasskeys } from "./store.ts";

interface RelyingParty {
  id: string;
  origin: string;
}

function relyingParty(): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(config().FUXI_URL);
  const secure = protocol === "https:" || hostname === "localhost";
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, "")) !== 0;
  return secure && !isAddress ? { id: hostname, origin } : undefined;
}

export function arePasskeysPossible(): boolean {
  return relyingParty() !== undefined;
}

function requireParty(): RelyingParty {
  const party = relyingParty();
  if (!party) throw new Error("Passkeys need FUXI_URL to be a name with https, or localhost");
  return party;
}

function asDescriptors(rows: readonly CredentialRow[]) {
  return rows.map(({ id, transports }) => ({ id, transports }));
}

/** The options of a browser for creating a passkey. */
export async function offerPasskey(
  { pk, id, email, name }: { pk: number; id: string; email: string; name: string },
  purpose: PasskeyPurpose,
) {
  return await generateRegistrationOptions({
    rpName: "Fuxi",
    rpID: requireParty().id,
    userID: Uint8Array.from(Buffer.from(id)),
    userName: email,
    userDisplayName: name,
    challenge: newChallenge(purpose),
    excludeCredentials: asDescriptors(await listCredentials(pk)),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

/** The options of a browser for using a passkey. `userPk` undefined: whichever the person chooses. */
export async function askForPasskey(purpose: PasskeyPurpose, userPk?: number) {
  return await generateAuthenticationOptions({
    rpID: requireParty().id,
    allowCredentials: userPk === undefined ? [] : asDescriptors(await listCredentials(userPk)),
    challenge: newChallenge(purpose),
    userVerification: "required",
  });
}

const transport = z.enum(["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"]);

const common = {
  id: z.string(),
  rawId: z.string(),
  type: z.literal("public-key"),
  clientExtensionResults: z.looseObject({}),
};

const registration = z.object({
  ...common,
  response: z.object({
    clientDataJSON: z.string(),
    attestationObject: z.string(),
    transports: z.array(transport).max(10).default([]).catch([]),
  }),
});

const authentication = z.object({
  ...common,
  response: z.object({
    clientDataJSON: z.string(),
    authenticatorData: z.string(),
    signature: z.string(),
    userHandle: z.string().exactOptional(),
  }),
});

function parseAnswer<Answer>(schema: z.ZodType<Answer>, text: string): Answer | undefined {
  if (text.length > passkeyAnswerCharsMax) return undefined;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export interface CreatedPasskey {
  credentialId: string;
  publicKey: Uint8Array;
  counter: number;
  transports: readonly string[];
}

/** Undefined: not a passkey that was created for this purpose. */
export async function readCreatedPasskey(
  text: string,
  purpose: PasskeyPurpose,
): Promise<CreatedPasskey | undefined> {
  const response = parseAnswer(registration, text);
  if (!response) return undefined;
  const party = requireParty();
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: (challenge) => acceptChallenge(challenge, purpose),
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
  }).catch(noteRefused);
  if (!verified?.verified) return undefined;
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  return { credentialId: id, publicKey, counter, transports: response.response.transports };
}

/** The caller has locked the user's row. False: there are too many, or it belongs to an account already. */
export async function keepPasskey(
  tx: Connection,
  userPk: number,
  name: string,
  created: CreatedPasskey,
): Promise<boolean> {
  return await insertPasskey(tx, userPk, { id: newId("passkey"), name, ...created }, passkeysMax);
}

export interface UsedPasskey {
  id: string;
  userPk: number;
  userId: string;
  counter: number;
}

/** Undefined: no passkey of an account signed for this purpose. Call `takePasskey` with the result. */
export async function readUsedPasskey(
  text: string,
  purpose: PasskeyPurpose,
): Promise<UsedPasskey | undefined> {
  const response = parseAnswer(authentication, text);
  const row = response && (await findByCredential(response.id));
  if (!row) return undefined;
  const party = requireParty();
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: (challenge) => acceptChallenge(challenge, purpose),
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    // `takePasskey` compares the counter, in the transaction that uses the passkey.
    credential: { id: response.id, publicKey: Uint8Array.from(row.publicKey), counter: 0 },
    // defence: passkey-verifies-user
    requireUserVerification: true,
  }).catch(noteRefused);
  if (!verified?.verified) return undefined;
  const { id, userPk, userId } = row;
  return { id, userPk, userId, counter: verified.authenticationInfo.newCounter };
}

function noteRefused(error: unknown): undefined {
  log.debug({ event: "passkey.refused", error: String(error) });
}

/** `copied`: its counter went backwards, so there are two of it. `gone`: it was removed meanwhile. */
export async function takePasskey(
  tx: Connection,
  { id, userPk, counter }: UsedPasskey,
): Promise<"taken" | "copied" | "gone"> {
  await lockOwner(tx, userPk);
  if (await noteUse(tx, id, counter)) return "taken";
  return (await isKept(tx, id)) ? "copied" : "gone";
}

export async function hasPasskey(userPk: number): Promise<boolean> {
  return (await listCredentials(userPk)).length > 0;
}

export async function listPasskeys(userPk: number): Promise<Passkey[]> {
  const rows = await prisma().passkey.findMany({
    where: { userPk },
    select: { id: true, name: true, createdAt: true, lastUsedAt: true },
    orderBy: { createdAt: "asc" },
  });
  return rows.map(({ createdAt, lastUsedAt, ...passkey }) => ({
    ...passkey,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }));
}
