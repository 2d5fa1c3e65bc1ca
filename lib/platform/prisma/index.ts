/** Prisma uses its own connection, so functions with a transaction use `sql` (docs/architecture.md). */
import { PrismaPg } from "@prisma/adapter-pg";
import { countStatement, pool } from "#lib/platform/postgres";
import { PrismaClient } from "./generated/client.ts";

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
  if (opened?.on !== on)
    opened = { client: new PrismaClient({ adapter: new CountedAdapter(on) }), on };
  return opened.client;
}
