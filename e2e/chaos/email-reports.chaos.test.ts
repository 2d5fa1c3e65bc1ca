/**
 * Email reports while the worker is killed and the mail server cuts connections: nobody gets a report twice, and each email
 * that did not arrive for certain is shown.
 */
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type MailServer, startMailServer } from "../../test/mail-server.ts";
import { openStage, type Process, type Stage } from "./stage.ts";

const reports = process.env["TEST_LONG"] ? 60 : 12;
const kills = process.env["TEST_LONG"] ? 20 : 2;
const endMs = process.env["TEST_LONG"] ? 900_000 : 120_000;

let stage: Stage;
let mail: MailServer;

beforeAll(async () => {
  [stage, mail] = await Promise.all([openStage(), startMailServer()]);
});

afterAll(async () => {
  await stage.close();
  await mail.close();
});

/** Weekly reports, which are also sent without clicks, each to an address of its own. */
async function makeReports(): Promise<void> {
  await stage.db.query(
    `
    WITH owner AS (
      SELECT membership.workspace_pk, membership.user_pk
      FROM membership
      JOIN app_user ON app_user.pk = membership.user_pk
      WHERE app_user.email = 'owner@example.com'
      LIMIT 1
    ), report AS (
      INSERT INTO report_subscription (id, workspace_pk, user_pk, kind, frequency, locale, next_at)
      SELECT 'rep_' || n, workspace_pk, user_pk, 'workspace', 'weekly', 'en', now() - interval '1 hour'
      FROM owner
      CROSS JOIN generate_series(1, $1::int) AS n
      RETURNING pk, user_pk
    )
    INSERT INTO report_recipient (id, subscription_pk, email, added_by, confirmed_at)
    SELECT gen_random_uuid(), pk, 'reader' || pk || '@example.com', user_pk, now()
    FROM report`,
    [reports],
  );
}

async function countStates(): Promise<Record<string, number>> {
  const { rows } = await stage.db.query<{ state: string; count: string }>(
    "SELECT state, count(*) FROM report_delivery GROUP BY state",
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
}

function readersOf(messages: readonly string[]): string[] {
  return messages.flatMap((message) => /^To: (\S+)/m.exec(message)?.[1] ?? []);
}

const start = (): Promise<Process> =>
  stage.start("workers/index.ts", { FUXI_SMTP_URL: mail.url, FUXI_MAIL_FROM: "fuxi@example.com" });

test(
  "nobody gets a report twice after kills of the worker, and every other email is shown",
  async () => {
    await makeReports();
    let requests = 0;
    mail.decide = () => {
      requests += 1;
      return requests % 5 === 0 ? "silent" : "taken";
    };
    let worker = await start();
    for (let kill = 0; kill < kills; kill++) {
      const before = mail.messages.length;
      await expect
        .poll(() => mail.messages.length, { timeout: endMs, interval: 1 })
        .toBeGreaterThan(before);
      // At once, so that some answers have no worker any more.
      worker.kill("SIGKILL");
      await setTimeout(50);
      worker = await start();
      // The next run is due at once.
      await stage.db.query("UPDATE report_delivery SET due_at = now() WHERE state = 'due'");
    }
    await expect
      .poll(async () => (await countStates())["due"] ?? 0, { timeout: endMs, interval: 200 })
      .toBe(0);
    const readers = readersOf(mail.messages);
    expect(new Set(readers).size).toBe(readers.length);
    const { sent = 0, unknown = 0, sending = 0 } = await countStates();
    expect(sent + unknown + sending).toBe(reports);
    // What the server has is sent, or shown as possibly sent.
    expect(readers.length).toBeGreaterThanOrEqual(sent);
    expect(readers.length).toBeLessThanOrEqual(reports);
    // Minutes later, a killed worker counts as silent.
    await stage.db.query(
      "UPDATE report_delivery SET attempted_at = now() - interval '1 hour' WHERE state = 'sending'",
    );
    await expect
      .poll(async () => (await countStates())["sending"] ?? 0, { timeout: endMs, interval: 200 })
      .toBe(0);
    // What the worker was sending before may have arrived since.
    const all = readersOf(mail.messages);
    expect(new Set(all).size).toBe(all.length);
  },
  2 * endMs,
);
