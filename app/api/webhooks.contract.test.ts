/** Subscriptions of automation services, as their documents describe them. */
import { expect, test } from "vitest";
import { call } from "../../test/contract-server.ts";

const targetUrl = "https://hooks.example.com/hooks/standard/1/abc/";

test("a service subscribes with its URL, reads a sample, and unsubscribes by id", async () => {
  const body = { targetUrl, event: "campaign.finished" };
  const created = await call("POST", "/webhooks/subscriptions", body);
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({
    id: expect.stringMatching(/^wh_/),
    name: "hooks.example.com",
    url: targetUrl,
    format: "standard",
    events: ["campaign.finished"],
  });
  const samples = await call("GET", "/webhooks/samples?event=campaign.finished");
  expect(samples.status).toBe(200);
  expect(samples.body).toEqual([
    { type: "campaign.finished", timestamp: expect.any(String), data: expect.any(Object) },
  ]);
  const removed = await call("DELETE", `/webhooks/${created.body.id}`);
  expect([removed.status, removed.body]).toEqual([200, { id: created.body.id }]);
});

test("an unknown event or a plain http URL is refused, and the answer names the field", async () => {
  const subscribe = (body: object) => call("POST", "/webhooks/subscriptions", body);
  const event = await subscribe({ targetUrl, event: "link.exploded" });
  expect([event.status, event.body.error.message]).toEqual([422, expect.stringContaining("event")]);
  const url = await subscribe({ targetUrl: "http://example.com/", event: "link.created" });
  expect([url.status, url.body.error.message]).toEqual([422, expect.stringContaining("url")]);
  expect((await call("GET", "/webhooks/samples")).status).toBe(422);
});
