/** Turns form answers into leads once the click that followed is counted. */
import { z } from "zod";
import { type Connection, query, sql, transaction } from "#lib/platform/postgres";
import { defineJob } from "#lib/platform/queue";
import { addToStat, holdLink, insertLead } from "./store.ts";

const leadEveryMs = 1_000;
const rowsPerTurn = 500;
/** Clicks are counted within seconds, or after an outage within hours. */
const waitDays = 7;
/** The clocks of the front that stored the answer and of the one that redirected may differ by this much. */
const clockSkewSeconds = 5;

interface DueLead {
  pk: number;
  id: string;
  workspacePk: number;
  linkPk: number;
  form: string;
  at: Date;
  clickAt: Date;
  clickId: string;
}

/** Returns the number of leads. Safe to run twice, and concurrently. */
export async function countContactLeads(): Promise<number> {
  let total = 0;
  for (;;) {
    const counted = await transaction(countSome);
    total += counted;
    if (counted < rowsPerTurn) return total;
  }
}

async function countSome(tx: Connection): Promise<number> {
  const due = await lockDue(tx);
  for (const lead of due) await countLead(tx, lead);
  const pks = due.map(({ pk }) => pk);
  // Answered by contact_answer_pkey.
  if (pks.length > 0) {
    await tx.query(
      sql`UPDATE contact_answer SET lead_due = false WHERE pk = ANY(${pks}::bigint[])`,
    );
  }
  return due.length;
}

/** Answered by contact_answer_lead, contact_visit_pkey and form_pkey. */
async function lockDue(tx: Connection): Promise<DueLead[]> {
  return await tx.query<DueLead>(sql`
    SELECT given.pk, given.id, given.workspace_pk AS "workspacePk", given.link_pk AS "linkPk", form.name AS form,
      given.at, visit.at AS "clickAt", visit.click_id AS "clickId"
    FROM contact_answer AS given
    JOIN form ON form.pk = given.form_pk
    CROSS JOIN LATERAL (
      SELECT contact_visit.at, contact_visit.click_id
      FROM contact_visit
      WHERE contact_visit.contact_pk = given.contact_pk
        AND contact_visit.link_pk = given.link_pk
        AND contact_visit.at >= given.at - ${clockSkewSeconds} * interval '1 second'
      ORDER BY contact_visit.at
      LIMIT 1
    ) AS visit
    WHERE given.lead_due
    ORDER BY given.at
    LIMIT ${rowsPerTurn}
    FOR UPDATE OF given SKIP LOCKED`);
}

async function countLead(tx: Connection, lead: DueLead): Promise<void> {
  const { id, workspacePk, linkPk, form, at, clickAt, clickId } = lead;
  if (!(await holdLink(tx, workspacePk, linkPk))) return;
  const origin = { from: "click", at: clickAt, id: clickId } as const;
  const event = {
    id,
    at,
    workspacePk,
    customerPk: null,
    verified: true,
    eventName: form,
    version: null,
    metadata: null,
    quantity: 1,
  };
  if (await insertLead(tx, origin, event)) {
    await addToStat(tx, { workspacePk, linkPk }, { leads: 1 });
  }
}

/** Gives up on visitors who never arrived. Answered by contact_answer_lead. */
async function giveUp(): Promise<void> {
  await query(sql`
    UPDATE contact_answer
    SET lead_due = false
    WHERE lead_due
      AND at < now() - ${waitDays} * interval '1 day'`);
}

export const contactLeadJobs = [
  defineJob({
    name: "contacts.count",
    schema: z.object({}),
    handle: async () => {
      await giveUp();
      await countContactLeads();
    },
    everyMs: leadEveryMs,
    due: () => "EXISTS (SELECT FROM contact_answer WHERE lead_due)",
  }),
];
