import type { ErrorMessageCode, MessageCode } from "#lib/platform/messages/schema";

export { isBadValue, isReadOnly, isRejectedInput, isUnavailable } from "./database.ts";

export const errorStatus = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  invite_expired: 410,
  unprocessable_entity: 422,
  rate_limit_exceeded: 429,
  internal_server_error: 500,
  service_unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

export const errorCodes = Object.keys(errorStatus) as ErrorCode[];

/** Codes that the dashboard presents in another way or never receives. */
type CodeWithoutText =
  | "caption_undrawable"
  | "destination_refused"
  | "domain_skipped"
  | "factor_due"
  | "key_pending"
  | "key_paused"
  | "label_too_small"
  | "search_term_too_short"
  | "session_over"
  | "wechat_no_program";

export type ProblemCode = MessageCode | CodeWithoutText;

export interface ErrorProblem {
  code: ProblemCode;
  params: Readonly<Record<string, string | number>>;
}

interface AppErrorOptions {
  retryAfterSeconds?: number | undefined;
  problem?: ProblemCode | undefined;
  params?: ErrorProblem["params"] | undefined;
  fields?: Readonly<Record<string, string>> | undefined;
}

/** An error that the client can correct. The message says how; it is shown to people unchanged. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;
  readonly problem: ErrorProblem | undefined;
  /** Why each invalid field is invalid, by the path of the field. */
  readonly fields: Readonly<Record<string, string>> | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    { retryAfterSeconds, problem, params = {}, fields }: AppErrorOptions = {},
  ) {
    super(message);
    this.name = "AppError";
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
    this.problem = problem === undefined ? undefined : { code: problem, params };
    this.fields = fields;
  }

  get status(): number {
    return errorStatus[this.code];
  }
}

interface RoomOptions {
  code?: ErrorCode;
  problem?: ErrorMessageCode;
  advice?: string;
}

/** Throws unless a workspace that has `count` of these things can have one more. */
export function assertRoom(
  count: number,
  max: number,
  things: string,
  { code = "forbidden", problem, advice = "Delete one first." }: RoomOptions = {},
): void {
  if (count < max) return;
  const message = `A workspace can have up to ${max} ${things}. ${advice}`;
  throw new AppError(code, message, { problem, params: { max } });
}

export const unknownMessage = "Something went wrong on the server. Try again later.";

/** The response to any error. The text of an unknown error stays in the log. */
export function presentError(error: unknown, origin: string): { status: number; body: ErrorBody } {
  const known =
    error instanceof AppError ? error : new AppError("internal_server_error", unknownMessage);
  const { code, message, problem, fields } = known;
  const doc_url = `${origin}/docs/api/errors#${code}`;
  const details = { ...(problem ? { problem } : {}), ...(fields ? { fields } : {}) };
  return { status: known.status, body: { error: { code, message, doc_url, ...details } } };
}

interface ErrorBody {
  error: {
    code: ErrorCode;
    message: string;
    doc_url: string;
    problem?: ErrorProblem;
    fields?: Readonly<Record<string, string>>;
  };
}

interface Issue {
  code?: string | undefined;
  message: string;
  path: readonly PropertyKey[];
}

/** Starts with the field: `url: Give a complete address …`, `url is required.` */
export function issueMessage(issue: Issue | undefined): string {
  if (!issue) return "The request is invalid.";
  const field = fieldOf(issue);
  if (isMissing(issue)) return `${field || "A request body"} is required.`;
  return field === "" ? issue.message : `${field}: ${issue.message}`;
}

const fieldOf = ({ path }: Issue) => path.map(String).join(".");
const isMissing = ({ code, message }: Issue) =>
  code === "invalid_type" && message.endsWith("received undefined");

/** The fields of an answer: enough to correct a form, and no echo of a body with thousands of rows. */
const fieldsMax = 50;

/** A 422 with every invalid field. Its message is about the first, whose name it starts with. */
export function invalidRequest(issues: readonly Issue[]): AppError {
  const reasons = new Map<string, string>();
  for (const issue of issues.slice(0, fieldsMax)) {
    const field = fieldOf(issue);
    if (field === "" || reasons.has(field)) continue;
    reasons.set(field, isMissing(issue) ? "Required." : issue.message);
  }
  const fields = reasons.size > 0 ? Object.fromEntries(reasons) : undefined;
  return new AppError("unprocessable_entity", issueMessage(issues[0]), { fields });
}
