/** For journeys: an alarm as the worker raises it, with the shares of the apps that it compared. */

const dayMs = 86_400_000;

/** WeChat stopped opening a domain yesterday; QQ is as usual. */
export async function raiseDomainAlarm(host: string): Promise<void> {
  const { query, sql } = await import("#lib/platform/postgres");
  const yesterday = new Date(Date.now() - dayMs).toISOString().slice(0, 10);
  const wechat = {
    days: 1,
    visits: 612,
    inApp: 2,
    share: 2 / 612,
    visitsBefore: 940,
    inAppBefore: 331.5,
    shareBefore: 0.352,
  };
  const qq = {
    days: 2,
    visits: 1_198,
    inApp: 61,
    share: 61 / 1_198,
    visitsBefore: 940,
    inAppBefore: 28,
    shareBefore: 0.031,
  };
  const apps = [
    { app: "wechat", state: "fallen", ...wechat },
    { app: "qq", state: "usual", ...qq },
  ];
  const probe = {
    status: 200,
    certificate: {
      valid: true,
      validUntil: new Date(Date.now() + 60 * dayMs).toISOString(),
      issuer: "Let's Encrypt",
    },
  };
  await query(sql`
    INSERT INTO domain_health (domain_pk, workspace_pk, slug, due_at, probe, probed_at, apps, judged_day)
    SELECT pk, workspace_pk, slug, now() + interval '1 day', ${JSON.stringify(probe)}::jsonb, now(),
      ${JSON.stringify(apps)}::jsonb, ${yesterday}::date
    FROM domain
    WHERE slug = ${host}
    ON CONFLICT (domain_pk) DO UPDATE
    SET due_at = EXCLUDED.due_at,
      probe = EXCLUDED.probe,
      probed_at = EXCLUDED.probed_at,
      apps = EXCLUDED.apps,
      judged_day = EXCLUDED.judged_day`);
  const evidence = { ...wechat, until: yesterday, oneIn: 1_000_000_000 };
  await query(sql`
    INSERT INTO domain_alarm (domain_pk, workspace_pk, slug, app, source, since, evidence)
    SELECT pk, workspace_pk, slug, 'wechat', 'visits', ${yesterday}::date,
      ${JSON.stringify(evidence)}::jsonb
    FROM domain
    WHERE slug = ${host}`);
}
