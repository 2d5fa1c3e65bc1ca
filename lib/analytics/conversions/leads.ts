import type { FirstClick, OpenCustomer } from "#lib/analytics/customers";
import type { Link } from "#lib/links/fields/schema";
import { findByPks, presentFound } from "#lib/links/presenting";
import { AppError } from "#lib/platform/errors";
import { clickIdOf, findClick, getClick } from "./clicks.ts";
import {
  count,
  lockCustomer,
  newEvent,
  type Recording,
  type Reporter,
  record,
} from "./recording.ts";
import type { TrackedLead, TrackLead } from "./schema.ts";
import { type EventRow, holdLink, insertLead, type Origin } from "./store.ts";

/** Counts once per customer and event name. */
export async function recordLead(
  reporter: Reporter,
  body: TrackLead,
  waitMs?: number,
): Promise<TrackedLead> {
  const named = body.clickId === "" ? undefined : await getClick(reporter, body.clickId, waitMs);
  const { customer, click } = await record(reporter, async (recording) => {
    const locked = await lockCustomer(recording, body, named);
    if (!locked) {
      const message = "customerExternalId: Customer not found. Send the clickId of the visitor.";
      throw new AppError("not_found", message);
    }
    const used = named ?? (await getFirstClick(recording, locked));
    if (body.mode !== "deferred") {
      await assertLink(recording, used.linkPk);
      const lead = await addLead(recording, locked, used, {
        eventName: body.eventName,
        quantity: body.eventQuantity ?? 1,
        metadata: body.metadata ?? null,
      });
      if (lead.added)
        await count(recording, locked, { lead: lead.row, leads: body.eventQuantity ?? 1 });
    }
    return { customer: locked, click: used };
  });
  const link = await findLink(reporter, click.linkPk);
  return {
    click: { id: clickIdOf(click) },
    link: link ? presentTracked(link) : null,
    customer: customer.shown,
  };
}

/** The click that created the customer, while it and its link exist. */
export async function findFirstClick(
  { tx, reporter }: Recording,
  { row }: OpenCustomer,
): Promise<FirstClick | undefined> {
  return await findClick(reporter, { at: row.click_at, id: row.click_id }, tx);
}

async function getFirstClick(recording: Recording, customer: OpenCustomer): Promise<FirstClick> {
  const click = await findFirstClick(recording, customer);
  if (click) return click;
  const message = "clickId: The click of this customer is no longer stored. Send a newer one.";
  throw new AppError("not_found", message);
}

export async function assertLink({ tx, reporter }: Recording, linkPk: number): Promise<void> {
  if (await holdLink(tx, reporter.workspacePk, linkPk)) return;
  throw new AppError("not_found", "clickId: The link of this click was deleted.");
}

interface NewLead {
  eventName: string;
  quantity: number;
  metadata: object | null;
}

export async function addLead(
  recording: Recording,
  customer: OpenCustomer,
  { at, id }: FirstClick,
  lead: NewLead,
): Promise<{ added: boolean; row: EventRow }> {
  const { eventName, quantity, metadata } = lead;
  const origin: Origin = { from: "click", at, id };
  const event = { ...newEvent(recording, customer, metadata), eventName, quantity };
  const inserted = await insertLead(recording.tx, origin, event);
  if (!inserted) throw new Error("A click disappeared while its lead was recorded");
  return inserted;
}

async function findLink(
  { workspacePk, workspaceId }: Reporter,
  linkPk: number,
): Promise<Link | undefined> {
  const [link] = await presentFound({ workspaceId }, await findByPks(workspacePk, [linkPk]));
  return link;
}

function presentTracked(link: Link): NonNullable<TrackedLead["link"]> {
  const { id, domain, key, shortLink, url, partnerId, programId, tenantId, externalId } = link;
  return { id, domain, key, shortLink, url, partnerId, programId, tenantId, externalId };
}
