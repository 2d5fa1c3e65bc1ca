/** Sending over HTTP: what API keys may do, and the address for gateways. */
import { describe, expect, test } from "vitest";
import { apiUrl, call, expectError, runSuffix } from "../../test/contract-server.ts";

const missing = "01KAYV5M3EJ2Q4R8ZC7D0N6XWB";

async function makeCampaign(): Promise<string> {
  const { body } = await call("POST", "/campaigns", {
    name: `Sending ${runSuffix}`,
    kind: "service",
    template: "Hi, {link} or {optout}",
    destination: "https://shop.example.com/",
    defaultCountry: "CN",
  });
  return body.id;
}

describe("200", () => {
  test("a campaign that was not started is a draft, and takes receipts of messages that others send", async () => {
    const id = await makeCampaign();
    const [message] = (
      await call("POST", `/campaigns/${id}/recipients`, [
        { messageId: "m1", phone: "+8613700000011" },
      ])
    ).body;
    expect(message.text).toMatch(/\/optout\?t=[\w-]{22}$/);
    const receipts = [{ messageId: "m1", state: "delivered" }];
    const answer = await call("POST", `/campaigns/${id}/receipts`, { receipts });
    expect(answer.body).toEqual({ applied: 1, repeated: 0, unknown: 0 });
    expect((await call("GET", `/campaigns/${id}/status`)).body.sending).toMatchObject({
      state: "draft",
      counts: { delivered: 1 },
    });
    expect((await call("GET", `/campaigns/${id}/sends?state=delivered`)).body).toMatchObject([
      { messageId: "m1", state: "delivered", attempts: 0 },
    ]);
  });
});

describe("403", () => {
  test("for an API key that creates a gateway", async () => {
    const settings = { kind: "twilio", accountSid: `AC${"0".repeat(32)}`, sender: "Fuxi" };
    const body = { name: "Twilio", secret: "x", settings };
    expectError(await call("POST", "/gateways", body), 403, "forbidden", /API key/);
  });
});

describe("404", () => {
  test("for a gateway that does not exist, also as the address for receipts", async () => {
    const id = await makeCampaign();
    const start = { gatewayId: `gw_${missing}`, rate: 1 };
    expectError(await call("POST", `/campaigns/${id}/start`, start), 404, "not_found", /not found/);
    expectError(await call("GET", `/gateways/gw_${missing}`), 404, "not_found", /not found/);
    const answer = await fetch(`${apiUrl}/campaigns/receipts/${"x".repeat(32)}`, {
      method: "POST",
      body: JSON.stringify({ receipts: [] }),
    });
    expect(answer.status).toBe(404);
  });
});

describe("409", () => {
  test("for a draft that is paused, resumed or cancelled", async () => {
    const id = await makeCampaign();
    for (const verb of ["pause", "resume", "cancel"]) {
      expectError(await call("POST", `/campaigns/${id}/${verb}`), 409, "conflict", /draft/);
    }
  });
});

describe("422", () => {
  test("for a rate of 0 or more than 500 messages per second, and equal quiet hours", async () => {
    const id = await makeCampaign();
    const gatewayId = `gw_${missing}`;
    const same = { from: "08:00", until: "08:00" };
    const bodies = [
      [{ gatewayId, rate: 0 }, /rate/],
      [{ gatewayId, rate: 501 }, /rate/],
      [{ gatewayId, rate: 1, quietHours: same }, /two different times/],
      [{ gatewayId, rate: 1, quietHours: { ...same, from: "24:00" } }, /quietHours/],
      [{ gatewayId, rate: 1, other: true }, /other/],
    ] as const;
    for (const [body, words] of bodies) {
      expectError(
        await call("POST", `/campaigns/${id}/start`, body),
        422,
        "unprocessable_entity",
        words,
      );
    }
  });

  test("for more than 1,000 receipts", async () => {
    const id = await makeCampaign();
    const receipts = (count: number) => ({
      receipts: Array.from({ length: count }, (_, at) => {
        return { messageId: `m${at}`, state: "delivered" };
      }),
    });
    const path = `/campaigns/${id}/receipts`;
    expect((await call("POST", path, receipts(1_000))).body).toMatchObject({ unknown: 1_000 });
    expectError(await call("POST", path, receipts(1_001)), 422, "unprocessable_entity", /receipts/);
  });
});
