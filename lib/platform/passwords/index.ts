/**
 * Passwords as scrypt hashes, which contain their own cost so that it can be raised later:
 *
 *     scrypt$15$8$3$<salt>$<hash>      log2 of N, r, p; base64url
 *
 * N = 2^15, r = 8, p = 3 is one of the settings that OWASP considers equivalent (32 MB, about a quarter of a second).
 */
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { AppError } from "#lib/platform/errors";

/** The cost of a new hash. Tests of other modules lower it. */
export const passwordCost = { costLog2: 15, blockSize: 8, parallelism: 3 };
const saltBytes = 16;
const hashBytes = 32;
const memoryBytesMax = 64 * 1024 * 1024;

/** Concurrently: each takes one of the four threads that files and DNS need too, and 32 MB. */
const derivationsMax = 2;
/** At eight hashes a second, the last one would wait eight seconds. */
const waitingMax = 64;
const retryAfterSeconds = 5;

type Cost = typeof passwordCost;

let running = 0;
const waiting: (() => void)[] = [];

async function derive(password: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  if (running < derivationsMax) running += 1;
  else if (waiting.length < waitingMax) await new Promise<void>((resolve) => waiting.push(resolve));
  else {
    throw new AppError(
      "service_unavailable",
      `Too many passwords are being checked. Try again in ${retryAfterSeconds} seconds.`,
      retryAfterSeconds,
    );
  }
  try {
    return await deriveNow(password, salt, cost);
  } finally {
    // The slot passes to the longest waiting call.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

function deriveNow(password: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  const options = {
    N: 2 ** cost.costLog2,
    r: cost.blockSize,
    p: cost.parallelism,
    maxmem: memoryBytesMax,
  };
  // The same characters typed on two keyboards may differ in their bytes.
  const text = password.normalize("NFKC");
  return new Promise((resolve, reject) => {
    scrypt(text, salt, hashBytes, options, (error, hash) => {
      if (error) reject(error);
      else resolve(hash);
    });
  });
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await derive(password, salt, passwordCost);
  return `${prefix()}${salt.toString("base64url")}$${hash.toString("base64url")}`;
}

function prefix(): string {
  const { costLog2, blockSize, parallelism } = passwordCost;
  return `scrypt$${costLog2}$${blockSize}$${parallelism}$`;
}

/** Matches no password, and costs as much to check as any other. */
function unmatchable(): string {
  return `${prefix()}${"A".repeat(22)}$${"A".repeat(43)}`;
}

/** Takes the same time for a right, a wrong and an absent hash. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
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
  const found = await derive(password, Buffer.from(salt, "base64url"), cost);
  return timingSafeEqual(found, wanted) && stored !== null;
}
