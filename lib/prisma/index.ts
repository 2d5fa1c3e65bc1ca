/** Prisma on the pool of this process: for single rows of tenants and settings. Batches and hot reads use `sql`. */
import { PrismaPg } from "@prisma/adapter-pg";
import { pool } from "#lib/postgres";
import { PrismaClient } from "./generated/client.ts";

export { Prisma } from "./generated/client.ts";

let opened: PrismaClient | undefined;

export function prisma(): PrismaClient {
  opened ??= new PrismaClient({ adapter: new PrismaPg(pool()) });
  return opened;
}

/** True when a row with the same unique value already exists. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "P2002";
}
