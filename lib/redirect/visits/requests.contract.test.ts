/** The notations by which a request may name a link, and those by which it does not. */
import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import {
  address,
  call,
  makeLink,
  origin,
  requestRaw,
  runSuffix,
} from "../../../test/contract-server.ts";

const url = address("found");
/** Bytes of UTF-8 unchanged, one per character. */
const raw = (text: string) => Buffer.from(text).toString("latin1");
const encode = encodeURIComponent;

async function follow(target: string, host = origin.host): Promise<[number, string | undefined]> {
  const { status, headers } = await requestRaw(target, { host });
  return [status, headers["location"]];
}

const found = [302, url];
const missing = [404, undefined];

describe("a key", () => {
  const plain = `Tea-${runSuffix}`;
  const chinese = `茶-${runSuffix}`;
  const deep = `a/b/${runSuffix}`;

  beforeAll(async () => {
    for (const key of [plain, chinese, deep]) await makeLink({ url, key });
  });

  test("may be escaped in any part", async () => {
    expect(await follow(`/%54ea-${runSuffix}`)).toEqual(found);
    expect(
      await follow(`/${[...Buffer.from(plain)].map((byte) => `%${byte.toString(16)}`).join("")}`),
    ).toEqual(found);
    expect(await follow(`/a%2Fb%2f${runSuffix}`)).toEqual(found);
    expect(await follow(`/${encode(chinese)}`)).toEqual(found);
  });

  test("may have characters that are not composed", async () => {
    await makeLink({ url, key: `thé-${runSuffix}` });
    expect(await follow(`/${encode(`thé-${runSuffix}`.normalize("NFD"))}`)).toEqual(found);
  });

  test("in bytes that no address has is not a request", async () => {
    for (const target of [raw(`/${chinese}`), `/${plain}\xff`, `/${plain}?${raw("茶")}`]) {
      expect(await follow(target)).toEqual([400, undefined]);
    }
  });

  test.each(["%", "%2", "%zz", "%C3", "%c3%28", "%00", "%ED%A0%80"])(
    "broken by %j is missing",
    async (broken) => {
      expect(await follow(`/${plain}${broken}`)).toEqual(missing);
      expect(await follow(`/${broken}`)).toEqual(missing);
    },
  );

  test("may have slashes behind it, and two for one", async () => {
    for (const path of [
      `/${plain}/`,
      `/${plain}//`,
      `/a//b/${runSuffix}`,
      `/a//b///${runSuffix}/`,
    ]) {
      expect([path, ...(await follow(path))]).toEqual([path, ...found]);
    }
    expect(await follow(`/${plain}/x`)).toEqual(missing);
  });

  test("with a slash behind it continues where the link passes paths on", async () => {
    const { key } = await makeLink({ url, forwardPath: true });
    expect(await follow(`/${key}/`)).toEqual([302, `${url}/`]);
  });

  test("is found at the end of a path of 2,048 characters, and of no longer one", async () => {
    const { key } = await makeLink({ url, forwardPath: true });
    const path = (length: number) => `/${key}/`.padEnd(length, "x");
    expect((await follow(path(2_048)))[0]).toBe(302);
    expect(await follow(path(2_049))).toEqual(missing);
    expect(await follow(path(100_000))).toEqual(missing);
  });

  test("is found whatever the query is, up to the end of the head", async () => {
    for (const query of ["?", "??", "?%", "?%00", "?a=%zz", `?${"x".repeat(100_000)}`, "?#x"]) {
      expect(await follow(`/${plain}${query}`)).toEqual(found);
    }
  });

  test("receives the query where its link says so; null and omitted follow the workspace", async () => {
    const { id, key, ...made } = await makeLink({ url, forwardQuery: true });
    expect(made).toMatchObject({ forwardQuery: true });
    expect(await follow(`/${key}?utm_source=x&ref=y`)).toEqual([302, `${url}?utm_source=x&ref=y`]);
    const edited = async (forwardQuery: boolean | null) =>
      (await call("PATCH", `/links/${id}`, { forwardQuery })).body;
    expect(await edited(false)).toMatchObject({ forwardQuery: false });
    expect(await follow(`/${key}?ref=y`)).toEqual(found);
    expect(await edited(null)).not.toHaveProperty("forwardQuery");
    expect(await follow(`/${key}?ref=y`)).toEqual(found);
  });

  test("is found by old clients too, which then disconnect", async () => {
    const answer = await requestRaw(`/${plain}`, { version: "1.0", headers: ["Accept: */*"] });
    expect([answer.status, answer.headers["location"]]).toEqual(found);
    const head = await requestRaw(`/${plain}`, { version: "1.0", method: "HEAD" });
    expect([head.status, head.headers["location"], head.body]).toEqual([...found, ""]);
  });
});

describe("a host with characters other than A to Z", () => {
  const name = `tee-${randomBytes(4).toString("hex")}.bücher.localhost`;
  const punycode = name.replace("bücher", "xn--bcher-kva");
  let key = "";

  beforeAll(async () => {
    expect((await call("POST", "/domains", { slug: name })).status).toBe(201);
    ({ key } = await makeLink({ url, domain: punycode }));
  });

  test("is the same in punycode and in UTF-8, composed or not, in any case, with port and final dot", async () => {
    for (const host of [
      punycode,
      punycode.toUpperCase(),
      `${punycode}.:${origin.port}`,
      raw(name),
      raw(name.normalize("NFD")),
      raw(name.replace("bücher", "BÜCHER")),
      raw(`${name}.:80`),
    ]) {
      expect([host, ...(await follow(`/${key}`, host))]).toEqual([host, ...found]);
    }
    expect(await follow(`http://${punycode}:${origin.port}/${key}`)).toEqual(found);
  });

  test("finds a key with slashes before it, which do not make it a host", async () => {
    for (const path of [`//${key}`, `///${key}/`]) {
      expect([path, ...(await follow(path, punycode))]).toEqual([path, ...found]);
    }
    expect(await follow(`//evil.example/${key}`, punycode)).toEqual(missing);
  });

  test("belongs to no domain when its bytes are no text", async () => {
    expect(await follow(`/${key}`, "b\xfccher.localhost")).toEqual(missing);
    expect(await follow(`/${key}`, "\xff")).toEqual(missing);
  });
});
