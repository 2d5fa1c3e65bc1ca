/** Campaigns and opt-outs over HTTP. The workspace is shared: phones of this file only. */
import { randomInt } from "node:crypto";
import { describe, expect, test } from "vitest";
import { apiKey, apiUrl, call, expectError, runSuffix } from "../../test/contract-server.ts";

const prefix = String(randomInt(100, 1_000));
const phoneOf = (number: number) => `+86137${prefix}${String(10_000 + number)}`;

const browser =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";

const body = {
  name: `Autumn ${runSuffix}`,
  kind: "service",
  template: "Hi {name|customer}, {link} now",
  destination: `https://shop.example.com/${runSuffix}?r={recipientId}`,
  defaultCountry: "CN",
  columns: [{ name: "name" }],
  prices: { currency: "CNY", perPart: { CN: "0.05" } },
};

async function makeCampaign(change: object = {}): Promise<string> {
  const answer = await call("POST", "/campaigns", { ...body, ...change });
  expect([answer.status, answer.body]).toMatchObject([201, { name: body.name }]);
  return answer.body.id;
}

describe("200", () => {
  test("from nothing to messages, links and their clicks in five calls", async () => {
    // The workspace has other domains, and its default may change meanwhile.
    const id = await makeCampaign({ domain: new URL(apiUrl).hostname });
    const rows = [1, 2].map((number) => ({ messageId: `m${number}`, phone: phoneOf(number) }));
    const { status, body: messages } = await call("POST", `/campaigns/${id}/recipients`, rows);
    expect(status).toBe(200);
    expect(messages).toMatchObject(
      rows.map(({ messageId }) => ({ messageId, status: "ready", parts: 1, cost: "0.05" })),
    );
    expect(messages[0].text).toBe(`Hi customer, ${messages[0].shortLink} now`);
    const visit = await fetch(messages[0].shortLink, {
      redirect: "manual",
      headers: { "User-Agent": browser },
    });
    expect(visit.headers.get("location")).toBe(
      `https://shop.example.com/${runSuffix}?r=${messages[0].recipientId}`,
    );
    const clicked = async () =>
      (await call("GET", `/campaigns/${id}/recipients?clicked=true`)).body.map(
        (one: { messageId: string }) => one.messageId,
      );
    await expect.poll(clicked).toEqual(["m1"]);
    const { body: state } = await call("GET", `/campaigns/${id}/status`);
    expect(state).toMatchObject({ recipients: 2, clicked: 1, parts: 2, cost: "0.1" });
  });

  test("a repeated call returns the same bytes, and creates nothing", async () => {
    const id = await makeCampaign();
    const rows = [{ messageId: "m", phone: phoneOf(10) }];
    const first = await call("POST", `/campaigns/${id}/recipients`, rows);
    const second = await call("POST", `/campaigns/${id}/recipients`, rows);
    expect(second.body).toEqual(first.body);
    const { body: links } = await call("GET", `/links?campaignId=${id}`);
    expect(links).toHaveLength(1);
  });

  test("ten thousand recipients are added in one call, in order", async () => {
    const id = await makeCampaign();
    const rows = Array.from({ length: 10_000 }, (_, at) => {
      return { messageId: `m${at}`, phone: phoneOf(20_000 + at) };
    });
    const { status, body: results } = await call("POST", `/campaigns/${id}/recipients`, rows);
    expect(status).toBe(200);
    expect(results.map((one: { messageId: string }) => one.messageId)).toEqual(
      rows.map(({ messageId }) => messageId),
    );
    expect(new Set(results.map((one: { shortLink: string }) => one.shortLink)).size).toBe(10_000);
  });

  test("a phone that opts out gets no message until its opt-out is deleted", async () => {
    const phones = [phoneOf(30)];
    expect((await call("POST", "/opt-outs", { phones })).body).toMatchObject({ added: 1 });
    const id = await makeCampaign();
    const add = async (messageId: string) =>
      (await call("POST", `/campaigns/${id}/recipients`, [{ messageId, phone: phones[0] }]))
        .body[0];
    expect(await add("m1")).toMatchObject({ status: "refused", code: "opted_out" });
    const { body: checked } = await call("POST", "/opt-outs/check", { phones });
    const [{ id: optOut }] = checked.optedOut;
    expect((await call("DELETE", `/opt-outs/${optOut}`)).status).toBe(200);
    expect(await add("m1")).toMatchObject({ status: "ready" });
    const erased = await call("POST", "/people/erase", { phone: phones[0] });
    expect(erased.body).toEqual({ recipients: 1, contacts: 0, links: 1 });
  });

  test("messages are exported, and a message is counted before it is used", async () => {
    const id = await makeCampaign();
    await call("POST", `/campaigns/${id}/recipients`, [{ messageId: "m", phone: phoneOf(40) }]);
    const file = await fetch(`${apiUrl}/campaigns/${id}/messages`, {
      headers: { Authorization: `Bearer ${apiKey}` },
    });
    expect([file.status, file.headers.get("content-type")]).toEqual([
      200,
      "text/csv; charset=utf-8",
    ]);
    expect(await file.text()).toContain(`m,${phoneOf(40).slice(1)},`);
    const checked = await call("POST", "/messages/check", {
      text: "It’s here – now",
      country: "US",
      prices: { currency: "USD", perPart: { default: "0.01" } },
    });
    expect(checked.body).toMatchObject({
      encoding: "UCS-2",
      cost: "0.01",
      replacement: { text: "It's here - now", parts: 1 },
    });
  });

  test("a report is JSON with first clicks, or CSV with the same numbers", async () => {
    const id = await makeCampaign();
    await call("POST", `/campaigns/${id}/recipients`, [{ messageId: "m1", phone: phoneOf(900) }]);
    const report = await call("GET", `/campaigns/${id}/report`);
    expect([report.status, report.body]).toMatchObject([
      200,
      { recipients: 1, clicked: 0, located: 0, countries: [], clicksByTime: { buckets: [] } },
    ]);
    const file = await fetch(`${apiUrl}/campaigns/${id}/report?format=csv`, {
      headers: { Authorization: `Bearer ${apiKey}` },
    });
    expect(file.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const lines = (await file.text()).split("\r\n");
    expect(lines).toContain(`campaign,${body.name},recipients,1`);
    const wrong = await call("GET", `/campaigns/${id}/report?format=xml`);
    expectError(wrong, 422, "unprocessable_entity", /format: Use json or csv/);
  });
});

describe("404", () => {
  test("for a campaign and an opt-out that do not exist", async () => {
    const missing = "01KAYV5M3EJ2Q4R8ZC7D0N6XWB";
    const campaign = await call("GET", `/campaigns/camp_${missing}`);
    expectError(campaign, 404, "not_found", /^Campaign "camp_/);
    expectError(await call("DELETE", `/opt-outs/opt_${missing}`), 404, "not_found", /^Opt-out/);
  });
});

describe("409", () => {
  test("for changes of a campaign that has recipients", async () => {
    const id = await makeCampaign();
    await call("POST", `/campaigns/${id}/recipients`, [{ messageId: "m", phone: phoneOf(50) }]);
    const answer = await call("PATCH", `/campaigns/${id}`, { template: "Other {link}" });
    expectError(answer, 409, "conflict", /^template: This campaign has recipients/);
  });
});

describe("422", () => {
  test("names the field of a campaign, and unknown fields are refused", async () => {
    const wrong = await call("POST", "/campaigns", { ...body, template: "{nobody}" });
    expectError(wrong, 422, "unprocessable_entity", /^template: \{nobody\} is unknown/);
    const unknown = await call("POST", "/campaigns", { ...body, sender: "x" });
    expectError(unknown, 422, "unprocessable_entity", /sender/);
  });

  test("names all invalid fields of a campaign at once, also those that only fail together", async () => {
    const wrong = {
      kind: "marketing",
      template: "{nobody}",
      destination: "x",
      defaultCountry: "CN",
    };
    const answer = await call("POST", "/campaigns", { ...wrong, linkDays: 0 });
    expectError(answer, 422, "unprocessable_entity", /^name is required/);
    expect(answer.body.error.fields).toEqual({
      name: "Required.",
      linkDays: expect.any(String),
      template: expect.stringContaining("{nobody} is unknown"),
      destination: expect.stringContaining("Start with a URL"),
      ...Object.fromEntries(
        ["senderName", "consentSource", "consentOn"].map((name) => [
          name,
          "Required for marketing messages.",
        ]),
      ),
      optOutText: expect.stringContaining("{optout}"),
    });
    const id = await makeCampaign();
    const cleared = { kind: "marketing", senderName: null, consentOn: null, name: "" };
    const edit = await call("PATCH", `/campaigns/${id}`, cleared);
    expect(Object.keys(edit.body.error.fields).sort()).toEqual(["consentOn", "name", "senderName"]);
  });

  test("for no recipients, and for one more than ten thousand", async () => {
    const id = await makeCampaign();
    const path = `/campaigns/${id}/recipients`;
    expectError(await call("POST", path, []), 422, "unprocessable_entity", /1 to 10000/);
    const many = Array.from({ length: 10_001 }, () => ({}));
    expectError(await call("POST", path, many), 422, "unprocessable_entity", /10,000/);
  });
});
