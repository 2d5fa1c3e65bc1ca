/** Recording leads. */
import type { FirstClick, OpenCustomer } from "#lib/analytics/customers";
import type { Link } from "#lib/links/fields/schema";
import { findByPks, presentFound } from "#lib/links/presenting";
import { AppError } from "#lib/platform/errors";
import { clickIdOf, findClick, getClick } from "./clicks.ts";
import type { TrackedLead, TrackLead } from "./schema.ts";
import { type EventRow, holdLink, insertLead, type Origin } from "./store.ts";
import { count, inTurn, lockCustomer, newEvent, type Reporter, type Turn } from "./turns.ts";

/** Records a lead, once per customer and event name. */
export async function recordLead(reporter: Reporter, body: TrackLead): Promise<TrackedLead> {
  const named = body.clickId === "" ? undefined : await getClick(reporter, body.clickId);
  const { customer, click } = await inTurn(reporter, async (turn) => {
    const locked = await lockCustomer(turn, body, named);
    if (!locked) {
      const message = "customerExternalId: Customer not found. Send the clickId of the visitor.";
      throw new AppError("not_found", message);
    }
    const used = named ?? (await getFirstClick(turn, locked));
    if (body.mode !== "deferred") {
      await assertLink(turn, used.linkPk);
      const lead = await addLead(turn, locked, used, {
        eventName: body.eventName,
        quantity: body.eventQuantity ?? 1,
        metadata: body.metadata ?? null,
      });
      if (lead.added) await count(turn, locked, { lead: lead.row, leads: body.eventQuantity ?? 1 });
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

/** The click that the customer was created with, while it and its link exist. */
export async function findFirstClick(
  { tx, reporter }: Turn,
  { row }: OpenCustomer,
): Promise<FirstClick | undefined> {
  return await findClick(reporter, { at: row.click_at, id: row.click_id }, tx);
}

async function getFirstClick(turn: Turn, customer: OpenCustomer): Promise<FirstClick> {
  const click = await findFirstClick(turn, customer);
  if (click) return click;
  const message = "clickId: The click of this customer is no longer stored. Send a newer one.";
  throw new AppError("not_found", message);
}

export async function assertLink({ tx, reporter }: Turn, linkPk: number): Promise<void> {
  if (await holdLink(tx, reporter.workspacePk, linkPk)) return;
  throw new AppError("not_found", "clickId: The link of this click was deleted.");
}

interface NewLead {
  eventName: string;
  quantity: number;
  metadata: object | null;
}

export async function addLead(
  turn: Turn,
  customer: OpenCustomer,
  { at, id }: FirstClick,
  lead: NewLead,
): Promise<{ added: boolean; row: EventRow }> {
  const { eventName, quantity, metadata } = lead;
  const origin: Origin = { from: "click", at, id };
  const event = { ...newEvent(turn, customer, metadata), eventName, quantity };
  const inserted = await insertLead(turn.tx, origin, event);
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
