/** For end-to-end tests of retirement: what its job does, and the days that pass. Needs the settings of the instance. */

/** Runs the daily round of a workspace now, as if none had been before. */
export async function runLifetimeJob(slug: string): Promise<void> {
  const { runRounds } = await import("#lib/links/lifetime");
  const { query, sql } = await import("#lib/platform/postgres");
  await query(sql`
    INSERT INTO retirement_round (workspace_pk, next_at)
    SELECT pk, '-infinity' FROM workspace WHERE slug = ${slug}
    ON CONFLICT (workspace_pk) DO UPDATE
    SET next_at = '-infinity',
        checked_at = NULL,
        -- The worker of the instance may have announced the links meanwhile.
        warned_until = CASE WHEN EXISTS (
          SELECT FROM notice
          WHERE notice.workspace_pk = retirement_round.workspace_pk AND kind = 'links.retiring'
        ) THEN retirement_round.warned_until END`);
  await runRounds(new Date());
}

/** The owner has opened the link in their email. */
export async function proveOwner(slug: string): Promise<string> {
  const { query, sql } = await import("#lib/platform/postgres");
  const [owner] = await query<{ email: string }>(sql`
    UPDATE app_user
    SET email_proven_at = coalesce(email_proven_at, now())
    FROM membership
    JOIN workspace ON workspace.pk = membership.workspace_pk
    WHERE membership.user_pk = app_user.pk
      AND membership.role = 'owner'
      AND workspace.slug = ${slug}
    RETURNING app_user.email`);
  return owner?.email ?? "";
}
