/** Asks the API of a workspace with the session of the person. */
import { signedOutEvent } from "./form.tsx";

/** The API refused; its status says why. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The API answered ${status}`);
    this.status = status;
  }
}

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
  if (response.status === 401) window.dispatchEvent(new Event(signedOutEvent));
  if (!response.ok) throw new Refused(response.status);
  return response;
}
