/** Tells owners and admins once when codes to a country rise suddenly: someone may earn from the messages. */
import { claimRises } from "#lib/audience/phone-codes";
import { exposeCounters, log } from "#lib/platform/log";
import { type Connection, transaction } from "#lib/platform/postgres";
import { notifyManagers } from "#lib/tenancy/notifications";

/** In an hour: fewer cost little. */
export const riseCodesMin = 50;
/** Times the busiest hour of the week before. */
export const riseFactor = 3;

const counters = { told: 0 };
exposeCounters("phone_code_rises", "Sudden rises of codes by SMS to a country.", counters);

/** Returns how many rises were told. Safe to run twice, and concurrently. */
export async function tellRises(): Promise<number> {
  const rises = await transaction(async (tx) => {
    const claimed = await claimRises(tx, { codesMin: riseCodesMin, factor: riseFactor });
    for (const rise of claimed) await tell(tx, rise);
    return claimed;
  });
  counters.told += rises.length;
  for (const { workspace_pk: workspace, country, asked } of rises) {
    log.warn({ event: "phone-code.rise", workspace, country, asked });
  }
  return rises.length;
}

type CodeRise = Awaited<ReturnType<typeof claimRises>>[number];

async function tell(
  tx: Connection,
  { workspace_pk: workspacePk, country, asked, usual }: CodeRise,
): Promise<void> {
  const details = { country, asked, usual };
  await notifyManagers(tx, { workspacePk, kind: "codes.rising", details, mail: true });
}
