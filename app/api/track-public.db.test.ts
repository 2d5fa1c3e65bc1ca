/** What the scripts of sites call, as browsers call it: a preflight, JSON, and the public key as a bearer token. */
import { expect, test } from "vitest";
import { createTrackingKey } from "#lib/analytics/tracking-keys";
import { openTestVisits } from "../../test/redirect-server.ts";
import { openTestStores } from "../../test/stores.ts";
import { fetchApi } from "./index.ts";

openTestStores();
const { make, scope } = openTestVisits("tracked-site");

const origin = "https://shop.example";

async function call(method: string, path: string, body?: object, headers: object = {}) {
  const text = body && JSON.stringify(body);
  const request = new Request(`http://localhost/api${path}`, {
    method,
    headers: {
      Origin: origin,
      ...(text && { "Content-Type": "application/json", "Content-Length": `${text.length}` }),
      ...headers,
    },
    ...(text && { body: text }),
  });
  const answer = await fetchApi(request, "203.0.113.1");
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

test.each(["/track/click", "/track/lead/client", "/track/sale/client"])(
  "the preflight of %s allows JSON and a key",
  async (path) => {
    const { status, headers } = await call("OPTIONS", path);
    expect([status, headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
    expect(headers.get("access-control-allow-methods")).toBe("POST");
    expect(headers.get("access-control-allow-headers")).toBe("Content-Type, Authorization");
  },
);

test.each(["/track/open", "/track/lead", "/links"])(
  "the preflight of %s, which takes an API key, is refused",
  async (path) => {
    const { status, headers, text } = await call("OPTIONS", path);
    expect([status, headers.get("access-control-allow-origin")]).toEqual([403, null]);
    expect(text).toContain("API keys must not be on pages");
  },
);

test("a click is answered with its id, which the site may read, and so is a refusal", async () => {
  const { key } = await createTrackingKey(scope(), { name: "Shop", hosts: ["shop.example"] });
  const link = await make({ url: origin });
  const body = { domain: "localhost", key: link.key, url: `${origin}/?via=${link.key}` };
  const clicked = await call("POST", "/track/click", body, { Authorization: `Bearer ${key}` });
  expect([clicked.status, JSON.parse(clicked.text)]).toEqual([
    200,
    { clickId: expect.stringMatching(/^\d{13}-[0-9a-f-]{36}$/) },
  ]);
  const inBody = await call("POST", "/track/click", { ...body, publicKey: key });
  expect([inBody.status, inBody.text]).toEqual([200, clicked.text]);
  const refusals = [
    [401, body, {}],
    [403, { ...body, publicKey: key }, { Origin: "https://evil.example" }],
    [404, { ...body, publicKey: key, key: "missing" }, {}],
    [422, { publicKey: key, domain: "localhost" }, {}],
  ] as const;
  for (const [status, sent, headers] of refusals) {
    const refused = await call("POST", "/track/click", sent, headers);
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([
      status,
      "*",
    ]);
  }
});

test("leads take the public key as a bearer token, and need one", async () => {
  const { key } = await createTrackingKey(scope(), { name: "Other", hosts: ["shop.example"] });
  const lead = { eventName: "Sign up", customerExternalId: "user-1", clickId: "" };
  const missing = await call("POST", "/track/lead/client", lead);
  expect([missing.status, missing.text]).toEqual([401, expect.stringContaining("publicKey")]);
  const unknown = await call("POST", "/track/lead/client", lead, {
    Authorization: `Bearer ${key}`,
  });
  expect([unknown.status, unknown.text]).toEqual([404, expect.stringContaining("Customer")]);
});
