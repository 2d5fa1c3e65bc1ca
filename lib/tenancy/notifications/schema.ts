/** What a person is told about work that they asked for. */

export const noticeKinds = [
  "takeout.done",
  "takeout.failed",
  "import.done",
  "import.failed",
  "domain.verified",
  "domain.failing",
  "domain.unverified",
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

export interface Notice {
  id: string;
  /** One of `noticeKinds`, or one that a later version knows. */
  kind: string;
  /** Id of what it is about. */
  subject: string | null;
  details: Record<string, unknown> | null;
  /** ISO 8601 */
  at: string;
  read: boolean;
}
