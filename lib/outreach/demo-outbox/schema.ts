/** Messages in the outbox of a workspace; older ones are deleted. */
export const messagesMax = 500;
export const keptDays = 30;
export const shownMax = 50;

export interface DemoMessage {
  id: string;
  /** Masked for members who may not see people. */
  phone: string;
  /** Null for the same members, because it may contain names. */
  text: string | null;
  sentAt: string;
}
