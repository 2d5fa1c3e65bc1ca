/** Kept in memory. A change applies within a second. SQL, because imports must not load Prisma. */
import {
  CoherentCache,
  publishChanges,
  recordChanges,
  takeRevision,
} from "#lib/platform/cache-sync";
import { AppError, isUnavailable } from "#lib/platform/errors";
import { query, sql, transaction } from "#lib/platform/postgres";
import { type OperatorScope, recordOperation } from "#lib/tenancy/operators";
import { type Feature, type FeatureState, featureNames, type SwitchFeature } from "./schema.ts";

const featuresEntry = "features";
const ageMaxMs = 60_000;

interface FeatureRow {
  name: string;
  enabled: boolean;
  reason: string;
  revision: number;
  changed_at: Date;
}

// There is always one entry, because missing values would be queried too often.
const turnedOff = new CoherentCache<ReadonlySet<string>>({
  entriesMax: () => 1,
  ageMaxMs,
  load: async () => {
    const rows = await listRows();
    const names = rows.filter(({ enabled }) => !enabled).map(({ name }) => name);
    const revision = Math.max(0, ...rows.map((row) => row.revision));
    return new Map([[featuresEntry, { revision, value: new Set(names) }]]);
  },
});

async function listRows(): Promise<FeatureRow[]> {
  // Uses feature_pkey: it has a row per feature at most.
  return await query<FeatureRow>(
    sql`SELECT name, enabled, reason, revision, changed_at FROM feature`,
  );
}

let lastKnown: ReadonlySet<string> = new Set();

/** While PostgreSQL is unavailable, the last known state applies: pages still show, and verbs fail anyway. */
export async function isFeatureOn(feature: Feature): Promise<boolean> {
  try {
    lastKnown = (await turnedOff.find(featuresEntry)) ?? lastKnown;
  } catch (error) {
    if (!isUnavailable(error)) throw error;
  }
  return !lastKnown.has(feature);
}

const labels: Readonly<Record<Feature, string>> = {
  signUp: "Signing up without an invitation",
  workspaces: "Creating workspaces",
  domains: "Adding domains",
  apiKeys: "Creating API keys",
  bulk: "Creating links in bulk",
  imports: "Importing links",
  shares: "Creating share links",
  sending: "Sending campaigns",
  reports: "Reporting links",
  publicLinks: "Creating links without an account",
};

export async function assertFeatureOn(feature: Feature): Promise<void> {
  if (await isFeatureOn(feature)) return;
  const message = `${labels[feature]} is turned off on this instance. Contact your administrator.`;
  throw new AppError("forbidden", message, { problem: "feature_off", params: { feature } });
}

export async function listFeatures(_: OperatorScope): Promise<FeatureState[]> {
  const rows = new Map((await listRows()).map((row) => [row.name, row]));
  return featureNames.map((name) => {
    const row = rows.get(name);
    return {
      name,
      enabled: row?.enabled ?? true,
      reason: row?.reason ?? null,
      changedAt: row?.changed_at.toISOString() ?? null,
    };
  });
}

export async function switchFeature(
  operator: OperatorScope,
  name: Feature,
  { enabled, reason }: SwitchFeature,
): Promise<void> {
  const revision = await transaction(async (tx) => {
    const taken = await takeRevision(tx);
    // A feature without a row is on. A second administrator waits for the row of the first.
    const changed = await tx.query(sql`
      INSERT INTO feature (name, enabled, reason, revision)
      SELECT ${name}, ${enabled}, ${reason}, ${taken}
      WHERE NOT ${enabled}::bool OR EXISTS (SELECT FROM feature WHERE name = ${name})
      ON CONFLICT (name) DO UPDATE
      SET enabled = excluded.enabled,
        reason = excluded.reason,
        revision = excluded.revision,
        changed_at = now()
      WHERE feature.enabled <> excluded.enabled
      RETURNING name`);
    if (changed.length === 0) return undefined;
    await recordChanges(tx, [{ entry: featuresEntry, revision: taken }]);
    const action = enabled ? "operator.turn_feature_on" : "operator.turn_feature_off";
    const entry = { workspacePk: null, action, subject: name, reason } as const;
    await recordOperation(tx, operator, { ...entry, details: { name } });
    return taken;
  });
  if (revision !== undefined) await publishChanges([{ entry: featuresEntry, revision }]);
}
