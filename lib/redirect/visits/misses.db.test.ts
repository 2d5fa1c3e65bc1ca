import { Redis } from "ioredis";
import { expect, test, vi } from "vitest";
import { openTestVisits } from "../../../test/redirect-server.ts";
import { openTestStores } from "../../../test/stores.ts";
import { missesPerMinuteMax } from "./misses.ts";

openTestStores({ FUXI_TRUSTED_PROXIES: "127.0.0.1" });
const { ask, make } = openTestVisits("misses");

const url = "https://example.com/there";
const from = (address: string, more: Record<string, string> = {}) => ({
  headers: { "x-forwarded-for": address, ...more },
});

/** Sends this many misses, with invalid keys, hosts and notations. */
async function miss(address: string, times: number): Promise<Set<number | undefined>> {
  const paths = ["/none", "/%zz", "/%00", `/${"x".repeat(2_500)}`, "/none+", "/a/b/"];
  const answers = await Promise.all(
    Array.from({ length: times }, (_, at) =>
      ask(
        `${paths[at % paths.length]}`,
        from(address, at % 7 === 0 ? { host: "not.ours.example" } : {}),
      ),
    ),
  );
  return new Set(answers.map(({ status }) => status));
}

test("an address that misses too often must wait; its hits continue, and other addresses miss as before", async () => {
  const [plain, secret] = [await make({ url }), await make({ url, password: "open sesame" })];
  expect(await miss("203.0.113.1", missesPerMinuteMax)).toEqual(new Set([404]));
  const refused = [
    await ask("/none", from("203.0.113.1")),
    await ask("/%zz", from("203.0.113.1")),
    await ask(`/${"x".repeat(2_500)}`, from("203.0.113.1")),
    await ask(`/${plain.key}`, from("203.0.113.1", { host: "not.ours.example" })),
    await ask("/none", { ...from("203.0.113.1"), method: "POST" }),
  ];
  const [first] = refused;
  expect(first?.status).toBe(429);
  expect(Number(first?.headers["retry-after"])).toBeGreaterThan(0);
  expect(Number(first?.headers["retry-after"])).toBeLessThanOrEqual(60);
  for (const { status, body } of refused) expect([status, body]).toEqual([429, first?.body]);
  for (let visits = 0; visits < 2; visits++) {
    expect((await ask(`/${plain.key}`, from("203.0.113.1"))).status).toBe(302);
    expect((await ask(`/${secret.key}`, from("203.0.113.1"))).status).toBe(401);
  }
  expect((await ask("/none", from("203.0.113.2"))).status).toBe(404);
});

test("forms that are posted to links that do not exist are misses too", async () => {
  const post = { method: "POST", form: "password=x", ...from("203.0.113.5") };
  for (let misses = 0; misses < missesPerMinuteMax; misses++) {
    expect((await ask("/none", post)).status).toBe(405);
  }
  expect((await ask("/none", post)).status).toBe(429);
});

test("hits are no misses, also those that memory alone does not answer", async () => {
  const { key } = await make({ url });
  for (let visits = 0; visits <= missesPerMinuteMax; visits++) {
    await ask(`/${key}/`, from("203.0.113.3"));
  }
  expect((await ask("/none", from("203.0.113.3"))).status).toBe(404);
});

test("counting a miss costs Redis nothing", async () => {
  const sent = vi.spyOn(Redis.prototype, "sendCommand");
  // An invalid escape is never looked up, so every request only counts.
  for (let misses = 0; misses <= missesPerMinuteMax; misses++)
    await ask("/%zz", from("203.0.113.4"));
  expect((await ask("/%zz", from("203.0.113.4"))).status).toBe(429);
  const names = sent.mock.calls.map(([command]) => command.name);
  // What the process sends by itself meanwhile.
  const own = ["xadd", "xlen", "publish", "ping"];
  expect(names.filter((name) => !own.includes(name))).toEqual([]);
});
