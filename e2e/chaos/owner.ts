/** Calls that only a signed-in person may make. */
import { send } from "../../test/http-client.ts";
import type { Process, Stage } from "./stage.ts";

/** The cookie of a session of the owner. The pages have the sign-in: they have to run. */
async function signIn(front: Process, host: string): Promise<string> {
  const csrf = await send(`${front.url}/api/auth/csrf`, { headers: { Host: host } });
  const cookies = (answer: typeof csrf) =>
    (answer.headers["set-cookie"] ?? []).map((line) => line.split(";")[0]).join("; ");
  const answer = await send(`${front.url}/api/auth/callback/password`, {
    method: "POST",
    headers: { Host: host, Cookie: cookies(csrf) },
    body: new URLSearchParams({
      csrfToken: JSON.parse(csrf.text).csrfToken,
      email: "owner@example.com",
      password: "a long enough password",
    }),
  });
  return cookies(answer);
}

export async function askAsOwner(
  stage: Stage,
  front: Process,
  method: "POST" | "PUT",
  path: string,
  body: object,
) {
  const origin = String(stage.env["FUXI_URL"]);
  const { host } = new URL(origin);
  const { body: me } = await front.call("GET", "/me");
  return await send(`${front.url}/api${path}`, {
    method,
    headers: {
      Host: host,
      Cookie: await signIn(front, host),
      Origin: origin,
      "X-Fuxi-Workspace": me.workspace.slug,
      "Content-Type": "application/json",
    },
    body: JSON.stringify(body),
  });
}
