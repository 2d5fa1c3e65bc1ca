/**
 * Prisma on the pool of this process: plain reads and writes of single rows and short lists, with its generated types.
 * It takes a connection of its own, so a function that opens a transaction uses `sql` throughout: see
 * docs/architecture.md.
 */
import { PrismaPg } from "@prisma/adapter-pg";
import { countStatement, pool } from "#lib/platform/postgres";
import { PrismaClient } from "./generated/client.ts";

/** Its statements are counted with all others. */
class CountedAdapter extends PrismaPg {
  override async connect() {
    const adapter = await super.connect();
    const { queryRaw, executeRaw } = adapter;
    adapter.queryRaw = (statement) =>
      countStatement(statement.sql, () => queryRaw.call(adapter, statement));
    adapter.executeRaw = (statement) =>
      countStatement(statement.sql, () => executeRaw.call(adapter, statement));
    return adapter;
  }
}

let opened: { client: PrismaClient; on: ReturnType<typeof pool> } | undefined;

export function prisma(): PrismaClient {
  const on = pool();
  // A closed pool is replaced by another one.
  if (opened?.on !== on)
    opened = { client: new PrismaClient({ adapter: new CountedAdapter(on) }), on };
  return opened.client;
}
