/** Recipients from files and other campaigns over HTTP. The workspace is shared: phones of this file only. */
import { randomInt } from "node:crypto";
import { describe, expect, test } from "vitest";
import { apiKey, apiUrl, call, expectError, runSuffix } from "../../test/contract-server.ts";

const prefix = String(randomInt(100, 1_000));
const phoneOf = (number: number) => `136${prefix}${String(10_000 + number)}`;

async function makeCampaign(change: object = {}): Promise<string> {
  const { body } = await call("POST", "/campaigns", {
    name: `Files ${runSuffix}`,
    kind: "service",
    template: "Hi {name|customer}, {link} now",
    destination: `https://shop.example.com/${runSuffix}?r={recipientId}`,
    defaultCountry: "CN",
    columns: [{ name: "name" }],
    ...change,
  });
  return body.id;
}

async function upload(campaign: string, body: string | FormData, type?: string) {
  const answer = await fetch(`${apiUrl}/campaigns/${campaign}/files?name=people.csv`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${apiKey}`,
      ...(type === undefined ? {} : { "Content-Type": type }),
    },
    body,
  });
  const headers = Object.fromEntries(answer.headers);
  return { status: answer.status, headers, body: await answer.json() };
}

async function ended(id: string) {
  const state = async () => (await call("GET", `/recipient-sources/${id}`)).body;
  await expect.poll(async () => (await state()).state).toBe("done");
  return await state();
}

describe("200", () => {
  test("a file becomes recipients and links, and its bad rows a file to mend", async () => {
    const campaign = await makeCampaign();
    const text = `name;phone\nAnn;${phoneOf(1)}\nBo;nonsense\n`;
    const uploaded = await upload(campaign, text, "text/csv");
    expect([uploaded.status, uploaded.body]).toMatchObject([
      201,
      { state: "ready", rows: 2, mapping: { phone: 1, columns: { name: 0 } } },
    ]);
    const { id } = uploaded.body;
    const { body: preview } = await call("GET", `/recipient-sources/${id}/preview`);
    expect(preview.rows.map((row: { code: string | null }) => row.code)).toEqual([
      null,
      "phone_invalid",
    ]);
    expect((await call("POST", `/recipient-sources/${id}/start`)).status).toBe(200);
    expect(await ended(id)).toMatchObject({ done: 2, added: 1, refused: 1 });
    const refused = await fetch(`${apiUrl}/recipient-sources/${id}/refused`, {
      headers: { Authorization: `Bearer ${apiKey}` },
    });
    expect(refused.headers.get("content-type")).toMatch("text/csv");
    expect(await refused.text()).toMatch(/\r\nBo,nonsense,/);
    const { body: list } = await call("GET", `/campaigns/${campaign}/sources`);
    expect(list.map((one: { id: string }) => one.id)).toEqual([id]);
    expect((await call("POST", `/recipient-sources/${id}/undo`)).body.state).toBe("undoing");
    const recipients = async () => (await call("GET", `/campaigns/${campaign}`)).body.recipients;
    await expect.poll(recipients).toBe(0);
  });

  test("a form is accepted, and those who did not click get another campaign", async () => {
    const campaign = await makeCampaign();
    const form = new FormData();
    form.append("file", new Blob([`phone\n${phoneOf(2)}\n`]), "people.csv");
    const { body: file } = await upload(campaign, form);
    await call("POST", `/recipient-sources/${file.id}/start`);
    await ended(file.id);
    const next = await makeCampaign();
    const { status, body: source } = await call("POST", `/campaigns/${next}/audiences`, {
      campaignId: campaign,
      audience: "not_clicked",
    });
    expect([status, source]).toMatchObject([201, { kind: "campaign", rows: 1 }]);
    await call("POST", `/recipient-sources/${source.id}/start`);
    expect(await ended(source.id)).toMatchObject({ added: 1, refused: 0 });
  });
});

describe("Prefer: respond-async", () => {
  const later = { Prefer: "respond-async" };

  test("the rows of a call are added in the background, as they are, and once", async () => {
    const campaign = await makeCampaign();
    const name = '=1+1, "Ann";\n李';
    const rows = [
      { messageId: " m,1 ", phone: phoneOf(4), columns: { name } },
      { messageId: "m-2", phone: "nonsense" },
      { messageId: "m-3", phone: phoneOf(5) },
    ];
    for (const added of [2, 2]) {
      const path = `/campaigns/${campaign}/recipients`;
      const { status, headers, body: job } = await call("POST", path, rows, later);
      expect([status, headers["preference-applied"]]).toEqual([202, "respond-async"]);
      expect(headers["location"]).toBe(`/api/recipient-sources/${job.id}`);
      expect(await ended(job.id)).toMatchObject({ rows: 3, done: 3, added, refused: 1 });
    }
    const { body: found } = await call("GET", `/campaigns/${campaign}/recipients?status=ready`);
    expect(found.map((one: { messageId: string }) => one.messageId)).toEqual(["m,1", "m-3"]);
    expect(found[0].columns).toEqual({ name });
    expect(found[1].text).toMatch(/^Hi customer, /);
  });

  test("a 422 names the row that is invalid, and nothing is stored", async () => {
    const campaign = await makeCampaign();
    const good = { messageId: "m-1", phone: phoneOf(6) };
    for (const [bad, message] of [
      [{ phone: phoneOf(7) }, /^\[1\]\.messageId is required/],
      [{ messageId: "m-2", phone: phoneOf(7), columns: { age: "7" } }, /^\[1\]\.columns: .* age/],
    ] as const) {
      const path = `/campaigns/${campaign}/recipients`;
      const answer = await call("POST", path, [good, bad], later);
      expectError(answer, 422, "unprocessable_entity", message);
    }
    expect((await call("GET", `/campaigns/${campaign}/sources`)).body).toEqual([]);
  });
});

describe("errors", () => {
  test("a 400 for another type of body, a 422 for a file that is no table, a 409 for a second start", async () => {
    const campaign = await makeCampaign();
    expectError(await upload(campaign, "{}", "application/json"), 400, "bad_request", /text\/csv/);
    expectError(await upload(campaign, "%PDF-1.7", "text/csv"), 422, "unprocessable_entity", /PDF/);
    const { body: file } = await upload(campaign, `phone\n${phoneOf(3)}\n`, "text/csv");
    expect((await call("POST", `/recipient-sources/${file.id}/cancel`)).status).toBe(200);
    expectError(
      await call("POST", `/recipient-sources/${file.id}/start`),
      409,
      "conflict",
      /cancelled/,
    );
  });

  test("a 404 for a source that does not exist", async () => {
    const missing = "/recipient-sources/src_01KAYV5M3EJ2Q4R8ZC7D0N6XWB";
    expectError(await call("GET", missing), 404, "not_found", /not found/);
    expectError(await call("POST", `${missing}/start`), 404, "not_found", /not found/);
  });
});
