import "../../../test/links-apart.ts";
import { expect, test } from "vitest";
import { query, sql, transaction } from "#lib/platform/postgres";
import { withClient } from "../../../scripts/databases.ts";
import { listWorkers } from "../../../test/citus.ts";
import { openTestStores } from "../../../test/stores.ts";
import { holdMoves, withoutMoves } from "./index.ts";

openTestStores();

const workspacePk = 7;
/** Moves and sums wait for each other in milliseconds. */
const waitMaxMs = 30_000;
const isWaiting = async () => {
  const [row] = await query<{ waiting: boolean }>(sql`
    SELECT EXISTS (
      SELECT FROM pg_locks
      WHERE locktype = 'advisory'
        AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    ) AS waiting`);
  return row?.waiting ?? false;
};

test("a workspace is added up after moves that began, and a move that begins ends after it", async () => {
  const steps: string[] = [];
  let end: (() => void) | undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let isMoved = false;
  const move = transaction(async (tx) => {
    await holdMoves(tx, [workspacePk]);
    isMoved = true;
    await ended;
    steps.push("moved");
  });
  await expect.poll(() => isMoved).toBe(true);
  let late: Promise<void> = Promise.resolve();
  const added = withoutMoves(workspacePk, async () => {
    late = transaction(async (tx) => {
      await holdMoves(tx, [workspacePk]);
      steps.push("moved later");
    });
    await expect.poll(isWaiting, { timeout: waitMaxMs }).toBe(true);
    steps.push("added up");
  });
  try {
    await expect.poll(isWaiting, { timeout: waitMaxMs }).toBe(true);
    // Other workspaces do not wait.
    await withoutMoves(workspacePk + 1, () => Promise.resolve());
  } finally {
    end?.();
  }
  await Promise.all([move, added]);
  await late;
  expect(steps).toEqual(["moved", "added up", "moved later"]);
});

test.runIf(process.env["TEST_CITUS_URL"])(
  "it waits for a transaction that another server has prepared",
  async () => {
    const databaseUrl = process.env["DATABASE_URL"] ?? "";
    const [server] = await listWorkers(databaseUrl);
    if (!server) throw new Error("No worker");
    const address = new URL(databaseUrl);
    address.hostname = server.host;
    address.port = String(server.port);
    const onServer = (text: string) => withClient(address.href, (client) => client.query(text));
    await withClient(address.href, async (client) => {
      await client.query("BEGIN");
      await client.query("SELECT pg_current_xact_id()");
      await client.query("PREPARE TRANSACTION 'test_undecided'");
    });
    let isAdded = false;
    const added = withoutMoves(workspacePk, () => {
      isAdded = true;
      return Promise.resolve();
    });
    await query(sql`SELECT pg_sleep(0.5)`);
    expect(isAdded).toBe(false);
    await onServer("ROLLBACK PREPARED 'test_undecided'");
    await added;
    expect(isAdded).toBe(true);
  },
);
