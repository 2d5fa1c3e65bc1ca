/**
 * Leads whose click was not counted within the time that a call waits. Each waits as a job in Redis, like its click: if Redis is
 * lost, both are. Its body is sealed, because it describes a person. It is tried at growing intervals while the click may still
 * arrive. A lead that never finds its click, or whose sender loses access meanwhile, is in the audit log.
 */
import { z } from "zod";
import { withTimeout } from "#lib/basics/bounds";
import { newId } from "#lib/basics/ids";
import { AppError } from "#lib/platform/errors";
import { tryLimit } from "#lib/platform/limits";
import { transaction } from "#lib/platform/postgres";
import { defineJob, enqueue, type JobDefinition } from "#lib/platform/queue";
import { seal, unseal } from "#lib/platform/sealing";
import { reopenScope, type WorkspaceScope } from "#lib/tenancy/access";
import { recordAudit } from "#lib/tenancy/audit";
import { UncountedClick } from "./clicks.ts";
import { externalIdOf, type TrackedLead, type TrackLead, trackLeadBody } from "./schema.ts";

const purpose = "postponed-leads";
const firstDelayMs = 1_000;
const delayMaxMs = 60_000;
const enqueueMaxMs = 2_000;
const withoutAccess =
  "The person or API key that sent the lead lost access before the click was counted.";

const postponed = z.object({
  id: z.string(),
  workspacePk: z.number(),
  userPk: z.number(),
  apiKeyPk: z.number().nullable(),
  actor: z.string(),
  sealed: z.base64(),
  delayMs: z.number(),
});
type Postponed = z.output<typeof postponed>;
type Recorder = (scope: WorkspaceScope, body: TrackLead) => Promise<void>;

const job = { name: "leads.postponed", schema: postponed };

/** False if the workspace has too many of them, nobody stands behind the call later, or Redis does not answer. */
export async function postponeLead(scope: WorkspaceScope, body: TrackLead): Promise<boolean> {
  const { workspacePk, workspaceId, userPk, apiKeyPk, actor } = scope;
  if (userPk === null || !(await tryLimit("postponedLeadPerWorkspace", workspaceId)).ok) {
    return false;
  }
  const id = newId("lead");
  const sealed = seal(purpose, Buffer.from(JSON.stringify(body)), id).toString("base64");
  const lead = { id, workspacePk, userPk, apiKeyPk, actor, sealed, delayMs: firstDelayMs };
  const enqueuing = withTimeout(enqueueMaxMs, () => enqueue(job, lead, { delayMs: firstDelayMs }));
  return await enqueuing.then(
    () => true,
    () => false,
  );
}

/** Its link is not known yet. */
export function presentPostponed(body: TrackLead): TrackedLead {
  const { clickId, customerName, customerEmail, customerAvatar } = body;
  return {
    click: { id: clickId },
    link: null,
    customer: {
      name: customerName || null,
      email: customerEmail || null,
      avatar: customerAvatar || null,
      externalId: externalIdOf(body),
    },
  };
}

export function postponedLeadJob(record: Recorder): JobDefinition<typeof postponed> {
  return defineJob({ ...job, handle: (lead) => handle(lead, record) });
}

async function handle(lead: Postponed, record: Recorder): Promise<void> {
  const { id, sealed, delayMs } = lead;
  const text = unseal(purpose, Buffer.from(sealed, "base64"), id).toString();
  const body = trackLeadBody.parse(JSON.parse(text));
  const scope = await reopenScope(lead);
  if (!scope) return await reportLost(lead, body, withoutAccess);
  try {
    await record(scope, body);
  } catch (error) {
    if (error instanceof UncountedClick) {
      const nextMs = Math.min(delayMs * 2, delayMaxMs);
      return await enqueue(job, { ...lead, delayMs: nextMs }, { delayMs: nextMs });
    }
    if (!(error instanceof AppError)) throw error;
    await reportLost(lead, body, error.message);
  }
}

async function reportLost(
  { workspacePk, actor }: Postponed,
  { clickId, eventName }: TrackLead,
  error: string,
): Promise<void> {
  const details = { name: eventName, error };
  const entry = { workspacePk, actor, action: "lead.failed", subject: clickId, details } as const;
  await transaction((tx) => recordAudit(tx, [entry]));
}
