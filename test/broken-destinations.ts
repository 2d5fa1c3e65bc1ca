/** For journeys: an hour passes after the first failed check of a host, so that the next one is due. */
export async function passCheckHour(host: string): Promise<void> {
  const { query, sql } = await import("#lib/platform/postgres");
  await query(sql`
    UPDATE destination_check
    SET failing_since = failing_since - interval '1 hour', next_at = now()
    WHERE host = ${host}`);
}
