/**
 * Who is told about a ban, and their appeals.
 *
 *   saved ──▶ told ──▶ appealed ──▶ declined, or the ban ends
 *
 * What is due to be sent is stored with the recipient, in the transaction of the change.
 */
export {
  appealBan,
  decideAppeal,
  findNotice,
  listAppeals,
  type Notice,
  noticeTokenOf,
} from "./appeals.ts";
export { banMailJobs, sendBanMails } from "./mails.ts";
export { type BanRecipient, endNotices, saveRecipients } from "./recipients.ts";
