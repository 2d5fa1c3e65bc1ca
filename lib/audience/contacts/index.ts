/**
 * Contacts: people who answered a form of a link. What they said is encrypted with the keys of the workspace; a person is
 * found again by a keyed digest of the phone, else of the email address, or of the openid that they shared. Only who may
 * see people's data reads any of it.
 */
import type { Connection } from "#lib/platform/postgres";
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
export { contactsUseVersion, resealContacts } from "./sealing.ts";
export { addWechatUser, endWechatCode } from "./wechat.ts";

/** Adds counted clicks of contacts, in the transaction that counts them. */
export async function addContactVisits(
  tx: Connection,
  visits: readonly MarkedVisit[],
): Promise<void> {
  if (visits.length > 0) await insertVisits(tx, visits);
}
