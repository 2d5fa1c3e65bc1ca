import { z } from "@hono/zod-openapi";
import { expect, test } from "vitest";
import { AppError } from "#lib/platform/errors";
import { giveSettings } from "../../test/settings.ts";
import { respondWithError } from "./errors.ts";
import { newRouter } from "./router.ts";
import { reportIgnored } from "./unknown-names.ts";

giveSettings();

const call = { address: "203.0.113.7", requestId: "req_1" };

/** The response to any error of a handler. */
async function responseTo(
  error: Error,
): Promise<{ status: number; text: string; headers: Headers }> {
  const api = newRouter();
  api.onError(respondWithError);
  api.get("/x", () => {
    throw error;
  });
  const { status, headers, ...response } = await settle(api.request("/x", {}, call));
  return { status, headers, text: response.text };
}

async function settle(answer: Response | Promise<Response>) {
  const response = await answer;
  return { status: response.status, headers: response.headers, text: await response.text() };
}

test("an internal error is a 500 without details", async () => {
  const { status, text } = await responseTo(new Error("password of the database is hunter2"));
  expect(status).toBe(500);
  expect(text).not.toContain("hunter2");
  expect(JSON.parse(text)).toMatchObject({ error: { code: "internal_server_error" } });
});

test("an unavailable store is a 503 with Retry-After", async () => {
  const away = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
  const { status, headers } = await responseTo(away);
  expect([status, headers.get("retry-after")]).toEqual([503, "2"]);
});

test("a limit has Retry-After in seconds", async () => {
  const { status, headers } = await responseTo(
    new AppError("rate_limit_exceeded", "Wait.", { retryAfterSeconds: 17 }),
  );
  expect([status, headers.get("retry-after")]).toEqual([429, "17"]);
});

const schema = z.object({ url: z.string() });

async function ignoredOf(body: object | object[]): Promise<string | null> {
  const api = newRouter();
  api.post("/x", async (c) => {
    reportIgnored(c, schema, await c.req.json());
    return c.json({});
  });
  const response = await api.request("/x", { method: "POST", body: JSON.stringify(body) }, call);
  return response.headers.get("x-fuxi-ignored");
}

test("fields that a schema does not know are named, once each", async () => {
  expect(await ignoredOf({ url: "a" })).toBeNull();
  expect(await ignoredOf({ url: "a", newer: 1, toString: 2 })).toBe("newer, toString");
  expect(
    await ignoredOf([
      { url: "a", x: 1 },
      { x: 2, y: 3 },
    ]),
  ).toBe("x, y");
});

test("names that no header may contain cannot break the response", async () => {
  expect(await ignoredOf({ "a\r\nSet-Cookie: b": 1 })).toBe("a??Set-Cookie??b");
  expect(await ignoredOf({ "\ud800": 1, 短: 2 })).toBe("?, ?");
  expect(await ignoredOf({ ["x".repeat(10_000)]: 1 })).toBe("x".repeat(64));
});

test("a body of 100,000 names is processed within seconds", async () => {
  const body = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`n${at}`, 1]));
  const names = (await ignoredOf(body))?.split(", ");
  expect(names).toHaveLength(20);
});
