/** Bulk calls on links, and idempotent repetitions, over raw HTTP. */
import { describe, expect, test } from "vitest";
import {
  address,
  call,
  create,
  expectError,
  type Json,
  makeLink,
  runSuffix,
} from "../../test/contract-server.ts";

describe("repeated calls", () => {
  test("the same idempotency key and body create one link, for ten clients at once", async () => {
    const mark = { "Idempotency-Key": `once-${runSuffix}` };
    const body = { url: address("once"), title: "Once" };
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(body, mark)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    const [first] = answers;
    await call("PATCH", `/links/${first?.body.id}`, { title: "Changed since" });
    expect((await create(body, mark)).body).toEqual(first?.body);
    await call("DELETE", `/links/${first?.body.id}`);
    expect((await create(body, mark)).body).toEqual(first?.body);
    expect((await call("GET", `/links/${first?.body.id}`)).status).toBe(404);
  });

  test("the same idempotency key with another body is refused", async () => {
    const mark = { "Idempotency-Key": `other-${runSuffix}` };
    expect((await create({ url: address("a") }, mark)).status).toBe(200);
    expectError(
      await create({ url: address("b") }, mark),
      422,
      "unprocessable_entity",
      /different request body/,
    );
  });

  test("a refused call leaves its idempotency key free", async () => {
    const mark = { "Idempotency-Key": `retry-${runSuffix}` };
    const link = await makeLink({ url: address("holder"), key: `held-${runSuffix}` });
    const body = { url: address("retry"), key: `held-${runSuffix}` };
    expect((await create(body, mark)).status).toBe(409);
    await call("DELETE", `/links/${link.id}`);
    expect((await create(body, mark)).status).toBe(200);
  });

  test("a repeated bulk call creates nothing twice, also when rows are refused", async () => {
    const rows = [
      { url: address("r/1") },
      { url: "no address" },
      { url: address("r/2"), title: "t" },
    ];
    const mark = { "Idempotency-Key": `bulk-${runSuffix}`, Prefer: "return=minimal" };
    const first = await call("POST", "/links/bulk", rows, mark);
    expect(first.body).toMatchObject([{ id: /^/ }, { id: /^/ }, { code: "unprocessable_entity" }]);
    expect((await call("POST", "/links/bulk", rows, mark)).body).toEqual(first.body);
  });
});

test.each([
  ["at once", {}],
  ["as a job", { Prefer: "respond-async" }],
])("a used idempotency key with other links creates none of them: %s", async (name, prefer) => {
  const mark = { "Idempotency-Key": `reused-${name}-${runSuffix}` };
  const place = `reused/${name.replaceAll(" ", "-")}`;
  const [first, other] = [{ url: address(`${place}/1`) }, { url: address(`${place}/2`) }];
  expect((await call("POST", "/links/bulk", [first], mark)).body).toMatchObject([first]);
  const answer = await call("POST", "/links/bulk", [first, other], { ...mark, ...prefer });
  expectError(answer, 422, "unprocessable_entity", /different request body/);
  const links = await call("GET", `/links?${new URLSearchParams({ url: other.url })}`);
  expect(links.body).toEqual([]);
  expect((await call("POST", "/links/bulk", [first], mark)).body).toMatchObject([first]);
});

describe("in bulk", () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ url: address(`bulk/${at}`) }));

  test("10,000 links are created in one call", async () => {
    const answer = await call("POST", "/links/bulk", rows(10_000), { Prefer: "return=minimal" });
    expect(answer.status).toBe(200);
    expect(answer.body).toHaveLength(10_000);
    expect(new Set(answer.body.map((one: Json) => one["key"])).size).toBe(10_000);
    expect(Object.keys(answer.body[0])).toEqual(["id", "key", "shortLink"]);
    const last = await call("GET", `/links/${answer.body[9_999].id}`);
    expect(last.body.url).toBe(address("bulk/9999"));
  });

  test.each([0, 10_001])("%i links are refused", async (count) => {
    const answer = await call("POST", "/links/bulk", rows(count));
    expectError(answer, 422, "unprocessable_entity", /10,?000/);
  });

  test("each kind of refusal affects that row only", async () => {
    await makeLink({
      url: address("taken"),
      key: `taken-${runSuffix}`,
      externalId: `taken-${runSuffix}`,
    });
    const answer = await call("POST", "/links/bulk", [
      { url: address("1"), key: `taken-${runSuffix}` },
      { url: address("2"), externalId: `taken-${runSuffix}` },
      { url: address("3"), key: `twice-${runSuffix}` },
      { url: address("4"), key: `twice-${runSuffix}` },
      { url: address("5"), tagNames: ["no such tag"] },
      { url: address("6"), folderId: "fold_none" },
      { url: address("7"), domain: "other.example.com" },
      { url: address("8"), startsAt: "2030-01-01T00:00:00Z", expiresAt: "2029-01-01T00:00:00Z" },
      null,
      { url: address("9"), title: "the last" },
    ]);
    expect(answer.status).toBe(200);
    const [first, second, ...refused] = answer.body;
    expect([first.url, second.url]).toEqual([address("3"), address("9")]);
    expect(refused.map((one: Json) => one["code"])).toEqual([
      "conflict",
      "conflict",
      "conflict",
      "unprocessable_entity",
      "not_found",
      "forbidden",
      "unprocessable_entity",
      "unprocessable_entity",
    ]);
  });

  test("a call with `async` becomes a job with its outcomes", async () => {
    const body = [{ url: address("job/1") }, { url: "no address" }, { url: address("job/2") }];
    const mark = { Prefer: "respond-async", "Idempotency-Key": `job-${runSuffix}` };
    const started = await call("POST", "/links/bulk", body, mark);
    expect(started.status).toBe(202);
    expect(started.headers["preference-applied"]).toBe("respond-async");
    expect((await call("POST", "/links/bulk", body, mark)).body.id).toBe(started.body.id);
    const path = `/links/bulk/${started.body.id}`;
    await expect
      .poll(async () => (await call("GET", path)).body, { interval: 200 })
      .toMatchObject({ status: "done", total: 3, done: 3, refused: 1 });
    const outcomes = await call("GET", `${path}/outcomes`);
    expect(outcomes.body).toMatchObject([{ id: /^/ }, { id: /^/ }, { row: 1 }]);
    const link = await call("GET", `/links/${outcomes.body[1].id}`);
    expect(link.body.url).toBe(address("job/2"));
  });

  test("a field that is unique to a link cannot be changed for many", async () => {
    const { id } = await makeLink({ url: address("alone") });
    const answer = await call("PATCH", "/links/bulk", { linkIds: [id], data: { key: "x" } });
    expect(answer.headers["x-fuxi-ignored"]).toBe("key");
    expect(answer.body[0].key).not.toBe("x");
  });

  test("a change that does not fit a link gives the reason", async () => {
    const { id } = await makeLink({ url: address("dates"), startsAt: "2030-01-01T00:00:00Z" });
    const data = { expiresAt: "2029-01-01T00:00:00Z" };
    const answer = await call("PATCH", "/links/bulk", { linkIds: [id], data });
    expectError(answer, 422, "unprocessable_entity", /after startsAt/);
    const other = await makeLink({ url: address("dates") });
    const linkIds = [id, other.id, "link_00000000000000000000000000"];
    const mixed = await call("PATCH", "/links/bulk", { linkIds, externalIds: ["näm"], data });
    expect([mixed.status, mixed.body]).toMatchObject([
      200,
      [
        { id: other.id, expiresAt: "2029-01-01T00:00:00.000Z" },
        { link: { id }, code: "unprocessable_entity", error: expect.stringMatching(/startsAt/) },
      ],
    ]);
    expect(mixed.headers["x-fuxi-unknown"]).toBe("ext_n?m, link_00000000000000000000000000");
  });

  test("thousands are deleted by a body", async () => {
    const answer = await call("POST", "/links/bulk", rows(2_500), { Prefer: "return=minimal" });
    const linkIds = answer.body.map((one: Json) => one["id"]);
    expect((await call("DELETE", "/links/bulk", { linkIds })).body).toEqual({
      deletedCount: 2_500,
    });
    const again = await call("DELETE", "/links/bulk", { linkIds: linkIds.slice(0, 2) });
    expect(again.body).toEqual({
      deletedCount: 0,
      errors: linkIds.slice(0, 2).map((id: string) => ({
        link: { id },
        error: `Link "${id}" not found in this workspace.`,
        code: "not_found",
      })),
    });
  });
});

describe("404", () => {
  test("an unknown job", async () => {
    expectError(
      await call("GET", "/links/bulk/job_none"),
      404,
      "not_found",
      /Job "job_none" not found/,
    );
  });
});
