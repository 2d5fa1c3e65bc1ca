import { dayMs } from "#lib/basics/time/schema";
import { type RecipientSource, sourceDays } from "./schema.ts";
import type { SourceRow } from "./store.ts";

export function present(row: SourceRow): RecipientSource {
  const isOpen = ["waiting", "running", "undoing"].includes(row.state);
  const from = row.finished_at ?? row.created_at;
  return {
    id: row.id,
    campaignId: row.campaign_id,
    kind: row.audience === null ? "file" : "campaign",
    name: row.name,
    audience: row.audience,
    state: row.state,
    rows: row.records - (row.heading ? 1 : 0),
    done: row.done,
    added: row.added,
    refused: row.refused,
    heading: row.heading,
    mapping: row.mapping,
    problem: row.problem,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
    expiresAt: isOpen ? null : new Date(from.getTime() + sourceDays * dayMs).toISOString(),
  };
}
