import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { onRequestError } from "../../../instrumentation.ts";
import { send } from "../../../test/http-client.ts";
import { PageFailures } from "./page-failures.ts";

const away = new Error("No answer");
const failures = new PageFailures((error) => error === away);
let raised: unknown;
const server = createServer((req, res) => {
  failures.watch(req, res);
  // As Next.js does.
  if (raised !== undefined) {
    onRequestError(raised, { headers: req.headers });
    res.statusCode = 500;
  }
  res.end("page");
});
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => void server.close());

async function statusOf(error?: unknown): Promise<[number, string | undefined]> {
  raised = error;
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const headers = { "X-Request-Id": "req_1" };
  const answer = await send(`http://127.0.0.1:${port}/`, { headers });
  return [answer.status, answer.headers["retry-after"]];
}

test("a page that fails because a store is unavailable is answered with 503", async () => {
  expect(await statusOf(away)).toEqual([503, "2"]);
});

test("any other failure is answered with 500, also after an unavailable store", async () => {
  expect(await statusOf(new Error("A bug"))).toEqual([500, undefined]);
  await statusOf(away);
  expect(await statusOf(new Error("A bug"))).toEqual([500, undefined]);
  expect(await statusOf()).toEqual([200, undefined]);
});
