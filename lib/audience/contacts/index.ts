/**
 * Contacts: people who answered a form of a link. Their answers are encrypted with the keys of the
 * workspace. A keyed digest of the phone, the email address or the openid identifies a person.
 * Reading any of it needs the permission to see people’s data.
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
export async function addContactVisits(tx: Connection, visits: readonly MarkedVisit[]) {
  if (visits.length > 0) await insertVisits(tx, visits);
}
