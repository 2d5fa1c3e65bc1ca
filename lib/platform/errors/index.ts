/** The one table from an error's code to its HTTP status, and the one class that carries a client's fault. */
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

/** Every code, in the order of the table. Sound because they are its keys. */
export const errorCodes = Object.keys(errorStatus) as ErrorCode[];

/** What is wrong, for programs and for those who say it in other languages: a stable code, and what its words name. */
export interface Problem {
  code: string;
  params: Readonly<Record<string, string | number>>;
}

/** Something the client can mend. The message says what to change; it is shown to people as it is. */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** Seconds after which the same call may succeed. */
  readonly retryAfterSeconds: number | undefined;
  /** The same as the message, where the dashboard has words of its own for it. */
  readonly problem: Problem | undefined;

  constructor(code: ErrorCode, message: string, retryAfterSeconds?: number, problem?: Problem) {
    super(message);
    this.name = "AppError";
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
    this.problem = problem;
  }

  get status(): number {
    return errorStatus[this.code];
  }
}

export const unknownMessage = "Something went wrong on the server. Try again later.";

/** What a client of an installation sees of any error. The text of an unknown one stays in the log. */
export function presentError(error: unknown, origin: string): { status: number; body: ErrorBody } {
  const known =
    error instanceof AppError ? error : new AppError("internal_server_error", unknownMessage);
  const { code, message, problem } = known;
  const doc_url = `${origin}/docs/api/errors#${code}`;
  return {
    status: known.status,
    body: { error: { code, message, doc_url, ...(problem ? { problem } : {}) } },
  };
}

export interface ErrorBody {
  error: { code: ErrorCode; message: string; doc_url: string; problem?: Problem };
}

/** What a schema says of a value that does not fit: zod's issue, as far as it is read here. */
interface Issue {
  code?: string | undefined;
  message: string;
  path: readonly PropertyKey[];
}

/** What to change, beginning with the field: `url: Give a complete address …`, `url is required.` */
export function sentenceOf(issue: Issue | undefined): string {
  if (!issue) return "The request is invalid.";
  const field = issue.path.map(String).join(".");
  const missing = issue.code === "invalid_type" && issue.message.endsWith("received undefined");
  if (missing) return `${field || "A request body"} is required.`;
  return field === "" ? issue.message : `${field}: ${issue.message}`;
}
