/** Guests: what people with the URL of a share see. */

import { askSeveral } from "#lib/analytics/reports";
import { groupingsMax, severalQuery } from "#lib/analytics/reports/schema";
import { ZipWriter } from "#lib/platform/downloads";
import { AppError, invalidRequest } from "#lib/platform/errors";
import { addressSubject, type LimitCall, tryLimits } from "#lib/platform/limits";
import { verifyPassword } from "#lib/platform/passwords";
import { openShareScope, type WorkspaceScope } from "#lib/tenancy/access";
import {
  keepShownFields,
  restrictQuery,
  type ShareLimits,
  shownGroupings,
  tableOf,
} from "./queries.ts";
import { type PublicShare, shareParts } from "./schema.ts";
import { findByToken, type ShareRow } from "./store.ts";
import { annotationsOf, missingShare, subjectOf } from "./subjects.ts";
import { hashToken, isGrant, isToken, makeGrant } from "./tokens.ts";

export interface Guest {
  token: string;
  grant: string | undefined;
  address: string;
}

export type OpenShare =
  | { ok: true; share: PublicShare }
  | { ok: false; code: "missing" | "password_needed" }
  | { ok: false; code: "too_many"; retryAfterSeconds: number };

/** Without the password, not even the name of the share is shown. */
export async function openShare(guest: Guest): Promise<OpenShare> {
  const found = await admitGuest(guest);
  if (!found.ok) return found;
  const { name, kind, parts, days_max: daysMax } = found.row;
  const { zone } = found.scope;
  const annotations = await annotationsOf(found.row, found.scope);
  return { ok: true, share: { name, kind, parts, daysMax, annotations, zone } };
}

/** Answers like the API. Throws not_found, unauthorized and rate_limit_exceeded. */
export async function queryShare(guest: Guest, query: URLSearchParams): Promise<unknown> {
  return present(await resultsOf(guest, query));
}

const demoLimits: ShareLimits = {
  kind: "workspace",
  parts: [...shareParts],
  daysMax: null,
  subjectId: undefined,
};

/** What a share of the whole workspace shows. Throws rate_limit_exceeded. */
export async function queryDemo(
  scope: WorkspaceScope,
  query: URLSearchParams,
  address: string,
): Promise<unknown> {
  const limited = await limitFailure("sharePerAddress", addressSubject(address));
  if (limited) throw errorOfOutcome(limited);
  return present(await answersOf(scope, demoLimits, query));
}

function present(answers: readonly [string, unknown][]): unknown {
  const [only] = answers;
  return answers.length === 1 && only ? only[1] : Object.fromEntries(answers);
}

export async function exportShare(guest: Guest, query: URLSearchParams): Promise<ShareFile> {
  if (query.get("groupBy") === "all") return await archiveOf(await admit(guest), query);
  const [only, another] = await resultsOf(guest, query);
  if (!only || another || !Array.isArray(only[1])) {
    const message = "groupBy: Use all, or exactly one grouping with rows, such as countries.";
    throw new AppError("unprocessable_entity", message);
  }
  const [groupBy, rows] = only;
  const body = Buffer.from(tableOf(groupBy, rows));
  return { name: `fuxi-${groupBy}.csv`, type: "text/csv; charset=utf-8", body };
}

export interface ShareFile {
  name: string;
  type: string;
  body: Uint8Array<ArrayBuffer>;
}

/** In memory, because the cards have few rows. */
async function archiveOf(admitted: Admitted, query: URLSearchParams): Promise<ShareFile> {
  const chunks: Uint8Array[] = [];
  const zip = new ZipWriter(async (bytes) => void chunks.push(bytes));
  const groupings = shownGroupings(limitsOf(admitted.row));
  for (let at = 0; at < groupings.length; at += groupingsMax) {
    const some = new URLSearchParams(query);
    some.set("groupBy", groupings.slice(at, at + groupingsMax).join(","));
    for (const [groupBy, rows] of await answersOf(admitted.scope, limitsOf(admitted.row), some)) {
      const table = tableOf(groupBy, Array.isArray(rows) ? rows : [rows]);
      await zip.add(`${groupBy}.csv`, (write) => write(table));
    }
  }
  await zip.end();
  return { name: "fuxi-analytics.zip", type: "application/zip", body: Buffer.concat(chunks) };
}

type Admitted = Extract<GuestAdmission, { ok: true }>;

async function resultsOf(guest: Guest, query: URLSearchParams): Promise<[string, unknown][]> {
  const { scope, row } = await admit(guest);
  return await answersOf(scope, limitsOf(row), query);
}

async function admit(guest: Guest): Promise<Admitted> {
  const found = await admitGuest(guest);
  if (!found.ok) throw errorOfOutcome(found);
  return found;
}

async function answersOf(
  scope: WorkspaceScope,
  limits: ShareLimits,
  query: URLSearchParams,
): Promise<[string, unknown][]> {
  const parsed = severalQuery.safeParse(
    Object.fromEntries(restrictQuery(query, limits, Date.now())),
  );
  if (!parsed.success) {
    throw invalidRequest(parsed.error.issues);
  }
  const answers = [...(await askSeveral(scope, parsed.data))];
  return answers.map(([name, { answer }]) => [
    name,
    keepShownFields(name, answer, parsed.data.event),
  ]);
}

function limitsOf(row: ShareRow): ShareLimits {
  const { kind, parts, days_max: daysMax } = row;
  return { kind, parts, daysMax, subjectId: subjectOf(row) ?? undefined };
}

function errorOfOutcome(found: Extract<OpenShare, { ok: false }>): AppError {
  if (found.code === "too_many") {
    const message = "Too many requests from your IP address. Wait, then try again.";
    return new AppError("rate_limit_exceeded", message, found);
  }
  return found.code === "missing"
    ? missingShare()
    : new AppError(
        "unauthorized",
        "This share link is password-protected. Open it and enter the password.",
      );
}

type GuestAdmission =
  | { ok: true; row: ShareRow; scope: WorkspaceScope }
  | Extract<OpenShare, { ok: false }>;

async function admitGuest({ token, grant, address }: Guest): Promise<GuestAdmission> {
  const limited = await limitFailure("sharePerAddress", addressSubject(address));
  if (limited) return limited;
  const row = isToken(token) ? await findByToken(hashToken(token)) : undefined;
  if (!row || (row.kind !== "workspace" && row.subject === null))
    return { ok: false, code: "missing" };
  const { password_hash: secret } = row;
  if (secret !== null && !isGrant(grant ?? "", row.pk, secret, Date.now())) {
    return { ok: false, code: "password_needed" };
  }
  const scope = await openShareScope(row.workspace_pk, row.id);
  return scope ? { ok: true, row, scope } : { ok: false, code: "missing" };
}

async function limitFailure(
  ...limit: LimitCall
): Promise<{ ok: false; code: "too_many"; retryAfterSeconds: number } | undefined> {
  const attempt = await tryLimits([limit]);
  if (attempt.ok) return undefined;
  return { ok: false, code: "too_many", retryAfterSeconds: attempt.retryAfterSeconds };
}

export type UnlockOutcome =
  | { ok: true; grant: string }
  | { ok: false; code: "missing" | "wrong" }
  | { ok: false; code: "too_many"; retryAfterSeconds: number };

export async function unlockShare(
  token: string,
  password: string,
  address: string,
): Promise<UnlockOutcome> {
  const row = isToken(token) ? await findByToken(hashToken(token)) : undefined;
  if (!row?.password_hash) return { ok: false, code: "missing" };
  const limited =
    (await limitFailure("sharePasswordPerAddress", addressSubject(address))) ??
    (await limitFailure("sharePasswordPerShare", row.id));
  if (limited) return limited;
  if (!(await verifyPassword(password, row.password_hash))) return { ok: false, code: "wrong" };
  return { ok: true, grant: makeGrant(row.pk, row.password_hash, Date.now()) };
}
