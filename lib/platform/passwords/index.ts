/**
 * Hashes passwords with scrypt. A hash contains its cost, so that it can be raised later:
 *
 *     scrypt$14$8$5$<salt>$<hash>      log2 of N, r, p; base64url
 *
 * N = 2^14, r = 8, p = 5 is one of the settings that OWASP considers equivalent; the others take up
 * to twice as long here.
 *
 * Hashes and checks have separate queues and threads, so that a visitor with a password never waits
 * for somebody who stores passwords. Hashing takes turns between workspaces.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { FairQueue, type QueueOwner } from "#lib/basics/bounds";
import { AppError } from "#lib/platform/errors";
import { checkThreads, hashThreads } from "./scrypt-threads.ts";

export type { QueueOwner } from "#lib/basics/bounds";

export const passwordCost = { costLog2: 14, blockSize: 8, parallelism: 5 };
const saltBytes = 16;
const hashBytes = 32;
const memoryBytesMax = 64 * 1024 * 1024;

const checksMax = 2;
const hashesMax = 1;
/** With eight checks a second, the last one waits eight seconds. */
const waitingMax = 64;
const retryAfterSeconds = 5;

const checks = new FairQueue({
  runningMax: checksMax,
  waitingMax: 2 * waitingMax,
  waitingPerGroupMax: waitingMax,
  // A crowd at one link leaves room for the workspace's other links.
  waitingPerMemberMax: 16,
});
const hashes = new FairQueue({
  runningMax: hashesMax,
  waitingMax: 2_000,
  waitingPerGroupMax: 2 * waitingMax,
  waitingPerMemberMax: waitingMax,
});
const accounts: QueueOwner = { group: "accounts", member: "accounts" };

type Cost = typeof passwordCost;

function requestOf(password: string, salt: Buffer, { costLog2, blockSize, parallelism }: Cost) {
  const options = { N: 2 ** costLog2, r: blockSize, p: parallelism, maxmem: memoryBytesMax };
  return { text: normalized(password), salt, bytes: hashBytes, options };
}

/** Two keyboards may type the same characters as different bytes. */
function normalized(password: string): string {
  return password.normalize("NFKC");
}

export async function hashPassword(password: string): Promise<string> {
  if (!hashes.hasRoom(accounts, 1)) throw tooMany("service_unavailable");
  return await hashes.run(accounts, () => hashNow(password));
}

/** Hashes all or none. Throws rate_limit_exceeded when a workspace or caller has too many. */
export async function hashPasswords(
  passwords: readonly string[],
  owner: QueueOwner,
): Promise<Map<string, string>> {
  // defence: hashes-per-caller
  if (!hashes.hasRoom(owner, passwords.length)) throw tooMany("rate_limit_exceeded");
  return new Map(
    await Promise.all(
      passwords.map(
        async (text): Promise<[string, string]> => [
          text,
          await hashes.run(owner, () => hashNow(text)),
        ],
      ),
    ),
  );
}

async function hashNow(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  // defence: hash-threads
  const hash = await hashThreads.run(requestOf(password, salt, passwordCost));
  return `${prefix()}${salt.toString("base64url")}$${hash.toString("base64url")}`;
}

function tooMany(code: "service_unavailable" | "rate_limit_exceeded"): AppError {
  const message =
    code === "service_unavailable"
      ? `Too many passwords are being checked. Try again in ${retryAfterSeconds} seconds.`
      : `Too many passwords of this workspace are being stored. Try again in ${retryAfterSeconds} seconds.`;
  return new AppError(code, message, { retryAfterSeconds });
}

function prefix(): string {
  const { costLog2, blockSize, parallelism } = passwordCost;
  return `scrypt$${costLog2}$${blockSize}$${parallelism}$`;
}

function unmatchable(): string {
  return `${prefix()}${"A".repeat(22)}$${"A".repeat(43)}`;
}

/** Each sign-in is its own member, so that only the total limit applies. */
function signIn(): QueueOwner {
  return { group: "accounts", member: randomBytes(saltBytes).toString("hex") };
}

/** Takes the same time for right, wrong and absent hashes. Throws when too many wait. */
export async function verifyPassword(
  password: string,
  stored: string | null,
  owner = signIn(),
): Promise<boolean> {
  const [kind, costText, blockText, parallelText, salt = "", hash = ""] = (
    stored ?? unmatchable()
  ).split("$");
  if (kind !== "scrypt") throw new Error("Unknown password hash format");
  const cost = {
    costLog2: Number(costText),
    blockSize: Number(blockText),
    parallelism: Number(parallelText),
  };
  const wanted = Buffer.from(hash, "base64url");
  if (!checks.hasRoom(owner, 1)) throw tooMany("service_unavailable");
  // defence: password-checks-queue
  const found = await checks.run(owner, () =>
    checkThreads.run(requestOf(password, Buffer.from(salt, "base64url"), cost)),
  );
  // defence: unknown-account-never-matches
  return timingSafeEqual(found, wanted) && stored !== null;
}
