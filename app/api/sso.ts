/**
 * Back-channel logout. Providers call `POST /api/sso/logout/{provider}`, which is not in the API document and is mounted before
 * authentication: its proof is the signature of the logout token.
 */
import { endByProvider } from "#lib/identity/single-sign-on";
import { AppError } from "#lib/platform/errors";
import { addressSubject, tryLimit } from "#lib/platform/limits";
import { respondWithError } from "./errors.ts";
import { readRaw } from "./raw-body.ts";
import { newRouter } from "./router.ts";

/** A logout token is shorter. */
const bytesMax = 32 * 1_024;
const formType = "application/x-www-form-urlencoded";

export const ssoLogout = newRouter();

ssoLogout.post("/sso/logout/:provider", async (c) => {
  c.header("Cache-Control", "no-store");
  const attempt = await tryLimit("logoutTokenPerAddress", addressSubject(c.env.address));
  if (!attempt.ok) throw new AppError("rate_limit_exceeded", "Too many logout tokens.", attempt);
  if (c.req.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase() !== formType) {
    throw new AppError("bad_request", `Send the logout token as ${formType}.`);
  }
  const body = new URLSearchParams((await readRaw(c.req.raw, bytesMax)).toString());
  if (!(await endByProvider(c.req.param("provider"), body.get("logout_token") ?? ""))) {
    throw new AppError("bad_request", "This is not a valid logout token.");
  }
  await attempt.refund();
  return c.body(null, 200);
});

/** In the words of OAuth, as the specification of the logout asks. */
ssoLogout.onError((error, c) => {
  if (!(error instanceof AppError) || error.code !== "bad_request") {
    return respondWithError(error, c);
  }
  return c.json({ error: "invalid_request", error_description: error.message }, 400);
});
