/** Domains that stop answering: told after a second check in a row, and once a day at most. */
import { type Connection, sql, transaction } from "#lib/platform/postgres";
import type { Probe } from "#lib/platform/safe-fetch";
import { notifyManagers } from "#lib/tenancy/notifications";
import { addEvent } from "#lib/tenancy/webhook-events";
import { answersWith } from "./schema.ts";
import { type DueDomain, saveProbe } from "./store.ts";

/** A check an hour later is the second one. */
const silentMinutes = 30;
const toldAgainHours = 24;

export async function noteProbe(
  domain: DueDomain,
  probe: Probe | undefined,
  now: Date,
): Promise<void> {
  if (!probe) return;
  await transaction(async (tx) => {
    const answers = answersWith(probe.status) === "ok";
    if (!(await saveProbe(tx, domain, probe, { answers, now })) || answers) return;
    const since = await tellSilence(tx, domain.pk, now);
    if (!since) return;
    const { id, workspacePk, slug } = domain;
    const { status } = probe;
    const details = { slug, status, since: since.toISOString() };
    await notifyManagers(tx, {
      ...{ workspacePk, kind: "domain.silent", subject: slug, details },
      mail: true,
    });
    const data = { id, domain: slug, status, since: since.toISOString() };
    await addEvent(tx, { workspacePk, type: "domain.silent", data });
  });
}

/** Since when the domain is silent, if this is to be told now. One that never answered is not set up yet. */
async function tellSilence(tx: Connection, pk: number, now: Date): Promise<Date | undefined> {
  // defence: silence-told-once
  const row = await tx.one<{ since: Date }>(sql`
    UPDATE domain_health
    SET silent_told_at = ${now}
    WHERE domain_pk = ${pk}
      AND answered_at IS NOT NULL
      AND silent_since <= ${now}::timestamptz - make_interval(mins => ${silentMinutes})
      AND (
        silent_told_at IS NULL
        OR (
          silent_told_at < silent_since
          AND silent_told_at <= ${now}::timestamptz - make_interval(hours => ${toldAgainHours})
        )
      )
    RETURNING silent_since AS since`);
  return row?.since;
}
