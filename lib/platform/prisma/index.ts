/** Prisma on the pool of this process: for single rows of tenants and settings. Batches and hot reads use `sql`. */
import { PrismaPg } from "@prisma/adapter-pg";
import { pool } from "#lib/platform/postgres";
import { PrismaClient } from "./generated/client.ts";

let opened: PrismaClient | undefined;

export function prisma(): PrismaClient {
  opened ??= new PrismaClient({ adapter: new PrismaPg(pool()) });
  return opened;
}
