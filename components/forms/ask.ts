/** Calls the API of a workspace with the user's session. */
import { z } from "zod";
import { signedOutEvent } from "./form.tsx";

/** An error of the API, with its status and message. */
export class Refused extends Error {
  readonly status: number;
  /** The problem, where the catalogue translates it. */
  readonly problem: Problem | undefined;

  constructor(status: number, body: unknown) {
    const said = refusal.safeParse(body);
    super(
      said.success
        ? said.data.error.message
        : `The request failed with status ${status}. Try again.`,
    );
    this.status = status;
    this.problem = said.data?.error.problem;
  }
}

const problem = z.object({
  code: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
});
type Problem = z.output<typeof problem>;

const refusal = z.object({
  error: z.object({ message: z.string(), problem: problem.optional() }),
});

export interface Asked {
  workspace: string;
  /** Below /api. */
  path: string;
  method?: string;
  body?: unknown;
  signal?: AbortSignal;
}

export async function ask({
  workspace,
  path,
  method = "GET",
  body,
  signal,
}: Asked): Promise<Response> {
  const response = await fetch(`/api${path}`, {
    method,
    headers: { "X-Fuxi-Workspace": workspace, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
  if (!response.ok) {
    throw refusedWith(response.status, await response.json().catch(() => undefined));
  }
  return response;
}

/** After the session ended, the user can sign in in place. */
export function refusedWith(status: number, body: unknown): Refused {
  if (status === 401) window.dispatchEvent(new Event(signedOutEvent));
  return new Refused(status, body);
}
