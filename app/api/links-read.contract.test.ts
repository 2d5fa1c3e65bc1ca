/** Finding links: through Dub's SDK, and over plain HTTP where the SDK has no method. */
import { Dub } from "dub";
import { beforeAll, describe, expect, test } from "vitest";
import { apiKey, apiUrl, call, origin } from "../../test/contract-server.ts";
import { type ApiAnswer, openApi } from "../../test/http-client.ts";

const dub = new Dub({ token: apiKey, serverURL: apiUrl });
/** Links of this file only. */
const tenantId = `reading-${Date.now()}`;
const total = 1_000;
const url = "https://example.com/landing";

async function get(path: string): Promise<Pick<ApiAnswer, "status" | "body">> {
  const { status, body } = await call("GET", path);
  return { status, body };
}

async function errorOf(path: string): Promise<[number, string]> {
  const { status, body } = await get(path);
  return [status, body.error?.message ?? ""];
}

async function make(body: object): Promise<{ id: string; key: string; domain: string }> {
  const answer = await call("POST", "/links", { url, tenantId, ...body });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}

let named: { id: string; key: string; domain: string };
const externalId = `order-${tenantId}`;

beforeAll(async () => {
  named = await make({ externalId, key: `Reading-${tenantId}` });
  for (let created = 1; created < total; created += 100) {
    const more = Array.from({ length: Math.min(100, total - created) }, () => make({}));
    await Promise.all(more);
  }
});

describe("200", () => {
  test("the SDK reads 1,000 links page by page, each once", async () => {
    const ids: string[] = [];
    for await (const page of await dub.links.list({ tenantId })) {
      ids.push(...page.result.map(({ id }) => id));
    }
    expect(ids).toHaveLength(total);
    expect(new Set(ids).size).toBe(total);
    expect(ids).toEqual([...ids].sort().reverse());
  });

  test("the SDK reads them from cursor to cursor too", async () => {
    const ids: string[] = [];
    for (let startingAfter: string | undefined; ; startingAfter = ids.at(-1)) {
      const { result } = await dub.links.list({ tenantId, startingAfter });
      if (result.length === 0) break;
      ids.push(...result.map(({ id }) => id));
    }
    expect(ids).toHaveLength(total);
    expect(new Set(ids).size).toBe(total);
  });

  test("cursors lead forwards and backwards", async () => {
    const { result: whole } = await dub.links.list({ tenantId });
    const second = await dub.links.list({ tenantId, pageSize: 10, startingAfter: whole[9]?.id });
    expect(second.result).toEqual(whole.slice(10, 20));
    const first = await dub.links.list({ tenantId, pageSize: 10, endingBefore: whole[10]?.id });
    expect(first.result).toEqual(whole.slice(0, 10));
  });

  test("every filter of the SDK is understood", async () => {
    const input = {
      tenantId,
      domain: named.domain,
      search: named.key,
      showArchived: true,
      pageSize: 1,
    };
    const { result } = await dub.links.list(input);
    expect(result.map(({ id }) => id)).toEqual([named.id]);
    for (const unknown of [
      { tagId: "tag_none" },
      { tagIds: ["tag_none", "tag_other"] },
      { tagNames: ["none", "other"] },
      { folderId: "fold_none" },
      { userId: "user_none" },
      { withTags: true, search: "none" },
    ]) {
      expect((await dub.links.list({ tenantId, ...unknown })).result).toEqual([]);
      expect(await dub.links.count({ tenantId, ...unknown })).toBe(0);
    }
  });

  test("count has the number of links", async () => {
    expect(await dub.links.count({ tenantId })).toBe(total);
    expect(await dub.links.count({ tenantId, search: named.key })).toBe(1);
  });

  test("count by groups gives a row each", async () => {
    const { body } = await get(`/links/count?tenantId=${tenantId}&groupBy=domain`);
    expect(body).toEqual([{ domain: named.domain, _count: total }]);
    const folders = await get(`/links/count?tenantId=${tenantId}&groupBy=folderId`);
    expect(folders.body).toEqual([{ folderId: null, _count: total }]);
    const tags = await get(`/links/count?tenantId=${tenantId}&groupBy=tagId`);
    expect(tags).toEqual({ status: 200, body: [] });
    const users = await get(`/links/count?tenantId=${tenantId}&groupBy=userId`);
    expect(users.body).toMatchObject([{ _count: total }]);
  });

  test("the SDK finds a link by each of its names", async () => {
    const { domain, key } = named;
    for (const input of [
      { linkId: named.id },
      { externalId },
      { externalId: `ext_${externalId}` },
      { domain, key },
    ]) {
      expect((await dub.links.get(input)).id).toBe(named.id);
    }
  });

  test("a path names a link by its id or by ext_ and its externalId", async () => {
    const byId = await get(`/links/${named.id}`);
    expect([byId.status, Object.keys(Object(byId.body)).length]).toEqual([200, 54]);
    expect(await get(`/links/ext_${encodeURIComponent(externalId)}`)).toEqual(byId);
  });

  test.each([
    "sort=clicks",
    "sortBy=clicks&sortOrder=asc",
    "sort=lastClicked",
    "sortBy=saleAmount&sortOrder=desc",
    "searchMode=exact&search=nothing",
    "showArchived=true&withTags=false&page=1000&pageSize=100",
    "domain=&search=&tagIds=&folderId=",
    `url=${encodeURIComponent(url)}`,
  ])("a list is answered: %s", async (query) => {
    const { status, body } = await get(`/links?tenantId=${tenantId}&${query}`);
    expect([status, Array.isArray(body)]).toEqual([200, true]);
  });

  test("pageSize is at most 100", async () => {
    const { body } = await get(`/links?tenantId=${tenantId}&pageSize=100`);
    expect(body).toHaveLength(100);
    expect((await get("/links?pageSize=101")).status).toBe(422);
  });
});

describe("404", () => {
  const missing = "link_01ARZ3NDEKTSV4RRFFQ69G5FAV";

  test.each([
    `/links/${missing}`,
    "/links/ext_none",
    "/links/nonsense",
    "/links/info?linkId=nonsense",
    "/links/info?externalId=none",
    "/links/info?domain=unknown.example&key=x",
    "/links/info?domain=localhost&key=does/not/exist",
    "/links/info?domain=localhost&key=..",
    "/links/info?domain=localhost",
  ])("an unknown object is a 404: %s", async (path) => {
    expect((await get(path)).status).toBe(404);
  });
});

describe("422", () => {
  test.each([
    ["/links?page=1001", "startingAfter"],
    ["/links?page=0", "page"],
    ["/links?page=x", "page"],
    ["/links?pageSize=0", "pageSize"],
    ["/links?pageSize=101", "pageSize"],
    ["/links?pageSize=1e9", "pageSize"],
    ["/links?startingAfter=a&endingBefore=b", "not both"],
    ["/links?page=1&startingAfter=a", "not both"],
    ["/links?page=2&endingBefore=a", "not both"],
    ["/links?startingAfter=nonsense", "startingAfter"],
    ["/links?endingBefore=link_1", "endingBefore"],
    ["/links?sort=clicks&startingAfter=link_01ARZ3NDEKTSV4RRFFQ69G5FAV", "startingAfter"],
    ["/links?sort=name", "sort"],
    ["/links?sortBy=leads", "sortBy"],
    ["/links?sortOrder=up", "sortOrder"],
    ["/links?searchMode=regex", "searchMode"],
    ["/links?showArchived=maybe", "showArchived"],
    ["/links?search=a&search=b", "search"],
    [`/links?search=${"x".repeat(201)}`, "search"],
    [`/links?tenantId=${"x".repeat(256)}`, "tenantId"],
    ["/links/count?groupBy=key", "groupBy"],
    ["/links/info", "Use exactly one of"],
    ["/links/info?linkId=a&externalId=b", "Use exactly one of"],
    ["/links/info?linkId=a&domain=b&key=c", "Use exactly one of"],
    ["/links/info?key=x", "domain and key together"],
  ])("the error names the correction: %s", async (path, word) => {
    const [status, message] = await errorOf(path);
    expect([status, message]).toEqual([422, expect.stringContaining(word)]);
  });

  test("a search has at most 200 characters", async () => {
    expect((await get(`/links?search=${"x".repeat(200)}`)).status).toBe(200);
  });
});

describe("401", () => {
  test.each(["/links", "/links/count", "/links/info?linkId=x", "/links/x"])(
    "without a key nothing is found: %s",
    async (path) => {
      expect((await openApi(origin)("GET", path)).status).toBe(401);
    },
  );
});
