import { z } from "zod";
import { signedOutEvent } from "./form.tsx";

export class ApiError extends Error {
  readonly status: number;
  /** The problem, if the message catalog has a translation of it. */
  readonly problem: Problem | undefined;

  constructor(status: number, body: unknown) {
    const parsed = errorBody.safeParse(body);
    super(
      parsed.success
        ? parsed.data.error.message
        : `The request failed with status ${status}. Try again.`,
    );
    this.status = status;
    this.problem = parsed.data?.error.problem;
  }
}

const problem = z.object({
  code: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
});
type Problem = z.output<typeof problem>;

const errorBody = z.object({
  error: z.object({ message: z.string(), problem: problem.optional() }),
});

export interface ApiRequest {
  workspace: string;
  path: string;
  method?: string;
  body?: unknown;
  signal?: AbortSignal;
}

export async function callApi({
  workspace,
  path,
  method = "GET",
  body,
  signal,
}: ApiRequest): Promise<Response> {
  const response = await fetch(`/api${path}`, {
    method,
    headers: { "X-Fuxi-Workspace": workspace, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
  if (!response.ok) {
    throw apiErrorOf(response.status, await response.json().catch(() => undefined));
  }
  return response;
}

/** After the session ended, the user can sign in in place. */
export function apiErrorOf(status: number, body: unknown): ApiError {
  if (status === 401) window.dispatchEvent(new Event(signedOutEvent));
  return new ApiError(status, body);
}
