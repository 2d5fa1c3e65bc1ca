/**
 * What contacts entered, for webhooks that get it. Stored events never have it: it is read when a request is made.
 */
import { contactFacts } from "#lib/audience/contacts";
import { hasPeople } from "#lib/tenancy/webhook-events/schema";
import type { EventRow } from "./bodies.ts";

interface PeopleWebhook {
  workspace_pk: number;
  people: boolean;
}

/** The event with what its contact entered and shared, unless they were erased. */
export async function withPeople<Event extends EventRow>(
  { workspace_pk: workspacePk, people }: PeopleWebhook,
  event: Event,
): Promise<Event> {
  if (!people || !hasPeople(event.type)) return event;
  const { contact } = event.data;
  const facts = (await contactFacts(workspacePk, [contact.id])).get(contact.id);
  return facts ? { ...event, data: { ...event.data, contact: { ...contact, ...facts } } } : event;
}
