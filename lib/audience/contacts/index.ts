/**
 * Contacts: people who answered a form of a link. What they said is encrypted with the keys of the workspace; a person is
 * found again by a keyed digest of the phone, else of the email address, or of the openid that they shared. Only who may
 * see people's data reads any of it.
 */
import type { Connection } from "#lib/platform/postgres";
import type { SealedTable } from "#lib/tenancy/people-keys";
import { insertVisits } from "./history-store.ts";
import type { MarkedVisit } from "./schema.ts";

export {
  contactJobs,
  eraseContact,
  repeatContactErasure,
  repeatWechatErasure,
  withdrawContact,
} from "./erasing.ts";
export { contactFacts, exportContacts, getContact, listContacts } from "./reading.ts";
export { addSubmission } from "./saving.ts";
export { addWechatUser, endWechatCode } from "./wechat.ts";

/** Answered by contact_list, contact_answer_workspace and contact_wechat_openid. */
export const sealedContacts: readonly SealedTable[] = [
  { table: "contact", column: "sealed" },
  { table: "contact_answer", column: "sealed" },
  { table: "contact_wechat", column: "sealed" },
];

/** Adds counted clicks of contacts, in the transaction that counts them. */
export async function addContactVisits(
  tx: Connection,
  visits: readonly MarkedVisit[],
): Promise<void> {
  if (visits.length > 0) await insertVisits(tx, visits);
}
