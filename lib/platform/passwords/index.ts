/**
 * Passwords as scrypt hashes, which contain their own cost so that it can be raised later:
 *
 *     scrypt$14$8$5$<salt>$<hash>      log2 of N, r, p; base64url
 *
 * N = 2^14, r = 8, p = 5 is one of the settings that OWASP considers equivalent, and the others here take up to twice as long.
 *
 * New hashes and checks have queues and threads of their own, so that a visitor with a password never waits for a person
 * who stores passwords. New hashes are made one after the other, in turns between workspaces.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { FairQueue, type QueueOwner } from "#lib/basics/bounds";
import { AppError } from "#lib/platform/errors";
import { checkThreads, hashThreads } from "./scrypt-threads.ts";

export type { QueueOwner } from "#lib/basics/bounds";

/** The cost of a new hash. Tests of other modules lower it. */
export const passwordCost = { costLog2: 14, blockSize: 8, parallelism: 5 };
const saltBytes = 16;
const hashBytes = 32;
const memoryBytesMax = 64 * 1024 * 1024;

/** Concurrently, each in a thread of its own and with 16 MB. */
const checksMax = 2;
const hashesMax = 1;
/** At eight checks a second, the last one would wait eight seconds. */
const waitingMax = 64;
const retryAfterSeconds = 5;

const checks = new FairQueue({
  runningMax: checksMax,
  waitingMax: 2 * waitingMax,
  waitingPerGroupMax: waitingMax,
  // A crowd at one link leaves room for the other links of its workspace.
  waitingPerMemberMax: 16,
});
const hashes = new FairQueue({
  runningMax: hashesMax,
  waitingMax: 2_000,
  waitingPerGroupMax: 2 * waitingMax,
  waitingPerMemberMax: waitingMax,
});
/** People who sign up or change the password of their account. */
const accounts: QueueOwner = { group: "accounts", member: "accounts" };

type Cost = typeof passwordCost;

function requestOf(password: string, salt: Buffer, { costLog2, blockSize, parallelism }: Cost) {
  const options = { N: 2 ** costLog2, r: blockSize, p: parallelism, maxmem: memoryBytesMax };
  return { text: normalized(password), salt, bytes: hashBytes, options };
}

/** The same characters typed on two keyboards may differ in their bytes. */
function normalized(password: string): string {
  return password.normalize("NFKC");
}

/** The hash of an account’s password. Throws service_unavailable when too many wait. */
export async function hashPassword(password: string): Promise<string> {
  if (!hashes.hasRoom(accounts, 1)) throw tooMany("service_unavailable");
  return await hashes.run(accounts, () => hashNow(password));
}

/**
 * The hashes of passwords that a workspace stores, by password; all of them or none. Throws rate_limit_exceeded when the
 * workspace, or this caller of it, already has too many waiting.
 */
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

/** Matches no password, and costs as much to check as any other. */
function unmatchable(): string {
  return `${prefix()}${"A".repeat(22)}$${"A".repeat(43)}`;
}

/** Signing in: each on its own, so that only the limit of all of them applies. */
function signIn(): QueueOwner {
  return { group: "accounts", member: randomBytes(saltBytes).toString("hex") };
}

/**
 * Takes the same time for a right, a wrong and an absent hash. Checks of a workspace's links and those of accounts take
 * turns. Throws service_unavailable when too many wait.
 */
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
