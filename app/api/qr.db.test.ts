/** The rate limit of QR codes per address. */
import { expect, test } from "vitest";
import { addressSubject, limits, tryLimit } from "#lib/platform/limits";
import { openTestStores } from "../../test/stores.ts";
import { fetchApi } from "./index.ts";

openTestStores();

const from = async (address: string) => {
  const url = "http://localhost/api/qr?url=https://example.com";
  return await fetchApi(new Request(url), address);
};

test("an address is refused after the limit of codes per minute, and no other address with it", async () => {
  const { max } = limits.qrPerAddress;
  const before = Array.from({ length: max - 1 }, () =>
    tryLimit("qrPerAddress", addressSubject("203.0.113.7")),
  );
  await Promise.all(before);
  expect((await from("203.0.113.7")).status).toBe(200);
  const refused = await from("203.0.113.7");
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await from("203.0.113.8")).status).toBe(200);
});
