/** The conventions of all endpoints: authentication, errors, bodies. */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { beforeAll, describe, expect, test } from "vitest";
import { timeBound } from "../../test/bounds.ts";
import { apiKey, apiUrl, origin as server } from "../../test/contract-server.ts";
import { type HttpAnswer, type SendOptions, send } from "../../test/http-client.ts";

const { origin } = server;
const bearer = { Authorization: `Bearer ${apiKey}` };
const json = { "Content-Type": "application/json" };

let cookie = "";
beforeAll(async () => {
  cookie = await signIn();
});

/** A person in the dashboard: an operation for people refuses a key before it reads the body. */
const own = () => ({ Cookie: cookie, Origin: origin, "X-Fuxi-Workspace": "my-workspace" });

interface JsonAnswer extends HttpAnswer {
  body: { error?: { code: string; message: string; doc_url: string } } & Record<string, unknown>;
}

async function ask(path: string, sending?: SendOptions): Promise<JsonAnswer> {
  const answer = await send(`${apiUrl}${path}`, sending);
  return { ...answer, body: JSON.parse(answer.text) };
}

function expectError(answer: JsonAnswer, status: number, code: string): void {
  expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
  const names = Object.keys(answer.body.error ?? {});
  // The fields that a body or a query has wrong.
  const expected = ["code", "message", "doc_url", ...(names.includes("fields") ? ["fields"] : [])];
  expect(names).toEqual(expected);
  expect(names.includes("fields") && status !== 422).toBe(false);
  expect(answer.body.error?.message).not.toBe("");
  expect(answer.body.error?.doc_url).toBe(`${origin}/docs/api/errors#${code}`);
}

describe("query parameters", () => {
  test.each([
    ["/campaigns?startngAfter=camp_1", "startngAfter", 'Did you mean "startingAfter"?'],
    ["/campaigns?pagesize=5", "pagesize", 'Did you mean "pageSize"?'],
    ["/me?verbose=1", "verbose", "This call has none."],
    ["/links/bulk/none/outcomes?x=1", "x", "This call has none."],
  ])("an unknown one is refused: %s", async (path, name, hint) => {
    const answer = await ask(path, { headers: bearer });
    expectError(answer, 422, "unprocessable_entity");
    expect(answer.body.error?.message).toBe(`Unknown query parameter "${name}". ${hint}`);
  });

  test("an unknown one is named where other services have the call, beside unknown fields", async () => {
    const listed = await ask("/links?pageSize=1&projectSlug=a", { headers: bearer });
    expect([listed.status, listed.headers["x-fuxi-ignored"]]).toEqual([200, "projectSlug"]);
    const made = await ask("/links?projectSlug=a", {
      method: "POST",
      headers: { ...bearer, ...json },
      body: JSON.stringify({ url: "https://example.com/names", newer: 1 }),
    });
    expect([made.status, made.headers["x-fuxi-ignored"]]).toEqual([200, "newer, projectSlug"]);
  });

  test("the workspace of a session is known, and unknown for a key", async () => {
    const { "X-Fuxi-Workspace": workspace, ...session } = own();
    const asked = `/campaigns?${new URLSearchParams({ workspace })}`;
    expect((await ask(asked, { headers: session })).status).toBe(200);
    expectError(await ask(asked, { headers: bearer }), 422, "unprocessable_entity");
  });
});

describe("200", () => {
  test("a key with all scopes opens the workspace", async () => {
    const { status, body } = await ask("/me", { headers: bearer });
    expect(status).toBe(200);
    expect(body).toMatchObject({ role: "owner", workspace: { slug: "my-workspace" } });
    expect(body["permissions"]).not.toContain("keys.write");
  });

  test("the document describes every path and needs no key", async () => {
    const { status, body } = await ask("/openapi.json");
    expect(status).toBe(200);
    expect(body["openapi"]).toBe("3.1.0");
    expect(Object.keys(Object(body["paths"]))).toContain("/api/me");
  });

  test("every response has its own id and the security headers", async () => {
    const answers = await Promise.all([ask("/me", { headers: bearer }), ask("/me"), ask("/none")]);
    const ids = answers.map(({ headers }) => headers["x-request-id"]);
    expect(new Set(ids).size).toBe(3);
    for (const { headers } of answers) {
      expect(headers["x-request-id"]).toMatch(/^req_/);
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["cache-control"]).toBe("no-store");
      expect(headers["content-type"]).toBe("application/json");
    }
  });
});

describe("400", () => {
  test.each([`Basic ${apiKey}`, apiKey, `bearer ${apiKey}`, "Bearer"])(
    "a header without Bearer is refused: %s",
    async (authorization) => {
      const answer = await ask("/me", { headers: { Authorization: authorization } });
      expectError(answer, 400, "bad_request");
    },
  );

  test.each(["", "{", "{'url':1}", '{"a":1}}', "\u0000"])(
    "a body that is not JSON is refused: %j",
    async (body) => {
      const init = { method: "POST", headers: { ...own(), ...json }, body };
      expectError(await ask("/api-keys", init), 400, "bad_request");
    },
  );

  test("a body of another type is refused, and the message names the accepted type", async () => {
    const headers = { ...own(), "Content-Type": "application/x-www-form-urlencoded" };
    const answer = await ask("/api-keys", { method: "POST", headers, body: '{"name":"a"}' });
    expectError(answer, 400, "bad_request");
    expect(answer.body.error?.message).toContain("application/json");
  });

  test("a body has at most 1 MB", async () => {
    const bytesMax = 1024 * 1024;
    const ofLength = (bytes: number) => JSON.stringify({ name: "x".repeat(bytes - 11) });
    const post = (body: string) =>
      ask("/api-keys", { method: "POST", headers: { ...own(), ...json }, body });
    expect(Buffer.byteLength(ofLength(bytesMax))).toBe(bytesMax);
    expectError(await post(ofLength(bytesMax)), 422, "unprocessable_entity");
    expectError(await post(ofLength(bytesMax + 1)), 400, "bad_request");
  });

  test("a body without a length is counted while it is read", async () => {
    expect(await postInChunks(17)).toBe(400);
    expect(await postInChunks(15)).toBe(422);
  });
});

/** Sends 64 KB this many times without announcing a length, until a response arrives. */
async function postInChunks(chunks: number): Promise<number | undefined> {
  const headers = { ...own(), ...json, "Transfer-Encoding": "chunked" };
  const sent = request(`${apiUrl}/api-keys`, { method: "POST", headers });
  let answer: IncomingMessage | undefined;
  const answered = once(sent, "response").then(([response]) => {
    answer = response;
  });
  sent.write('{"name":"');
  for (let at = 0; at < chunks && !answer; at++) {
    if (!sent.write("x".repeat(64 * 1024))) await Promise.race([once(sent, "drain"), answered]);
  }
  sent.end('"}');
  await answered;
  answer?.resume();
  return answer?.statusCode;
}

describe("401", () => {
  test("without a key every request is refused, whether the path exists or not", async () => {
    expectError(await ask("/me"), 401, "unauthorized");
    expectError(await ask("/none"), 401, "unauthorized");
  });

  test.each(["x", "fuxi_00000000000000000000000000000000", `${apiKey}x`, apiKey.toUpperCase()])(
    "an unknown key is refused: %s",
    async (key) => {
      const answer = await ask("/me", { headers: { Authorization: `Bearer ${key}` } });
      expectError(answer, 401, "unauthorized");
    },
  );

  test("an unsigned cookie identifies no account", async () => {
    expectError(await ask("/me", { headers: { Cookie: "fuxi-session=x" } }), 401, "unauthorized");
  });
});

describe("403", () => {
  test("a key can neither create nor list nor revoke keys", async () => {
    const init = { headers: { ...bearer, ...json } };
    const body = JSON.stringify({ name: "More" });
    expectError(await ask("/api-keys", init), 403, "forbidden");
    expectError(await ask("/api-keys", { ...init, method: "POST", body }), 403, "forbidden");
    expectError(await ask("/api-keys/key_1", { ...init, method: "DELETE" }), 403, "forbidden");
  });
});

describe("404", () => {
  test("an unknown path of the API is named", async () => {
    const answer = await ask("/none?x=1", { headers: bearer });
    expectError(answer, 404, "not_found");
    expect(answer.body.error?.message).toContain("GET /api/none");
  });

  test("a method that a path does not support is a 404", async () => {
    expectError(await ask("/me", { method: "PUT", headers: bearer }), 404, "not_found");
  });
});

describe("422", () => {
  test.each([
    ["{}", "name"],
    ['{"name":3}', "name"],
    ['{"name":["a"]}', "name"],
    ['{"name":{}}', "name"],
    ['{"name":""}', "name"],
    ['{"name":"a","scopes":["links.read",3]}', "scopes.1"],
    ['{"name":"a","expiresAt":"tomorrow"}', "expiresAt"],
    ['{"name":"a","nmae":"b"}', "nmae"],
    ['{"name":"a","callsPerMinute":0}', "callsPerMinute"],
    [JSON.stringify({ name: "a", domainIds: Array(101).fill("dom_1") }), "domainIds"],
    ['{"name":"a","folderIds":"fold_1"}', "folderIds"],
    ['{"__proto__":{"name":"a"}}', "name"],
    ["[]", "expected object"],
    ["null", "expected object"],
  ])("a body without a valid value is refused by the field's name: %s", async (body, field) => {
    const init = { method: "POST", headers: { ...own(), ...json }, body };
    const answer = await ask("/api-keys", init);
    expectError(answer, 422, "unprocessable_entity");
    expect(answer.body.error?.message).toContain(field);
  });

  test("the overlap of a rotated key is at most a week", async () => {
    const body = '{"overlapSeconds":604801}';
    const init = { method: "POST", headers: { ...own(), ...json }, body };
    const answer = await ask("/api-keys/key_1/rotate", init);
    expectError(answer, 422, "unprocessable_entity");
    expect(answer.body.error?.message).toContain("overlapSeconds");
  });
});

describe("the dashboard", () => {
  test("a signed-in person acts in the workspace that the request names", async () => {
    const { status, body } = await ask("/me", { headers: own() });
    expect(status).toBe(200);
    expect(body["apiKeyId"]).toBeNull();
    const { status: byQuery } = await ask("/me?workspace=my-workspace", {
      headers: { Cookie: cookie },
    });
    expect(byQuery).toBe(200);
  });

  test("without a workspace, or with another tenant's, the request is refused", async () => {
    const named = (slug: string) => ({ headers: { Cookie: cookie, "X-Fuxi-Workspace": slug } });
    expectError(await ask("/me", { headers: { Cookie: cookie } }), 400, "bad_request");
    expectError(await ask("/me", named("none")), 404, "not_found");
    expectError(await ask("/me", named("../x")), 404, "not_found");
  });

  test("a page of another site cannot change anything with the cookie", async () => {
    const body = JSON.stringify({ name: "Stolen" });
    const post = (headers: Record<string, string>) =>
      ask("/api-keys", { method: "POST", headers: { ...own(), ...json, ...headers }, body });
    expectError(await post({ Origin: "https://evil.example" }), 403, "forbidden");
    expectError(await post({ Origin: "null" }), 403, "forbidden");
    expectError(await post({ Origin: `${origin}.evil.example` }), 403, "forbidden");
  });

  test("a key is created, shown once, used, listed and revoked", async () => {
    const init = { method: "POST", headers: { ...own(), ...json } };
    const created = await ask("/api-keys", { ...init, body: JSON.stringify({ name: "Zapier" }) });
    expect(created.status).toBe(200);
    const { id, key } = created.body as { id: string; key: string };
    const headers = { Authorization: `Bearer ${key}` };
    expect((await ask("/me", { headers })).body["apiKeyId"]).toBe(id);
    const { text } = await send(`${apiUrl}/api-keys`, { headers: own() });
    expect(text).toContain(id);
    expect(text).not.toContain(key);
    const revoked = await ask(`/api-keys/${id}`, { method: "DELETE", headers: own() });
    expect([revoked.status, revoked.body]).toEqual([200, { id }]);
    expectError(await ask("/me", { headers }), 401, "unauthorized");
    const again = await ask(`/api-keys/${id}`, { method: "DELETE", headers: own() });
    expectError(again, 404, "not_found");
  });

  test("signing out ends the session, also for a copied cookie", async () => {
    const kept = await signIn();
    const named = { Cookie: kept, "X-Fuxi-Workspace": "my-workspace" };
    expect((await ask("/me", { headers: named })).status).toBe(200);
    await signOut(kept);
    const state = async () => (await ask("/me", { headers: named })).status;
    await expect.poll(state, { timeout: timeBound(2_000) }).toBe(401);
  });
});

/** The steps of the sign-in page: a CSRF token, then email and password. Returns the cookies. */
function signIn(): Promise<string> {
  const credentials = {
    email: process.env["TEST_OWNER_EMAIL"] ?? "",
    password: process.env["TEST_OWNER_PASSWORD"] ?? "",
  };
  return postForm("/auth/callback/password", credentials, "");
}

async function signOut(cookie: string): Promise<void> {
  await postForm("/auth/signout", {}, cookie);
}

async function postForm(path: string, fields: Record<string, string>, cookie: string) {
  const token = await send(`${apiUrl}/auth/csrf`, { headers: { Cookie: cookie } });
  const { csrfToken }: { csrfToken: string } = JSON.parse(token.text);
  const held = [cookie, ...cookiesOf(token)].filter(Boolean).join("; ");
  const answer = await send(`${apiUrl}${path}`, {
    method: "POST",
    headers: { Cookie: held },
    body: new URLSearchParams({ ...fields, csrfToken, json: "true" }),
  });
  return cookiesOf(answer).join("; ");
}

function cookiesOf({ headers }: HttpAnswer): string[] {
  return (headers["set-cookie"] ?? []).map((cookie) => cookie.split(";")[0] ?? "");
}
