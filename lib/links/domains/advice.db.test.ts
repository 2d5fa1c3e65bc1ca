import { expect, test } from "vitest";
import { openTestStores } from "../../../test/stores.ts";
import { adviseTraffic } from "./index.ts";
import { hostForm } from "./schema.ts";

openTestStores();

test("the address that a browser came by is advice for a record, unless it names the machine itself", () => {
  expect(adviseTraffic("links.acme.com:8443")).toEqual({ type: "CNAME", value: "links.acme.com" });
  expect(adviseTraffic("203.0.113.5:3000")).toEqual({ type: "A", value: "203.0.113.5" });
  expect(adviseTraffic("[2001:db8::5]:3000")).toEqual({ type: "AAAA", value: "2001:db8::5" });
  const own = ["localhost:3000", "a.localhost", "127.0.0.1:3000", "[::1]:3000", "0.0.0.0", ""];
  for (const host of [...own, "no host", "a_b.example", "<b>.example"]) {
    expect(adviseTraffic(host)).toBeUndefined();
  }
});

test("a pasted URL is understood as its domain", () => {
  const read = (slug: string) => hostForm.parse({ slug }).slug;
  for (const pasted of [
    "https://go.acme.com/",
    " http://go.acme.com",
    "HTTPS://go.acme.com/a?b#c",
    "go.acme.com/",
    "go.acme.com",
  ]) {
    expect(read(pasted)).toBe("go.acme.com");
  }
  // Left as they are, so that they are refused with a reason.
  expect(read("ftp://go.acme.com")).toBe("ftp://go.acme.com");
  expect(read("https://go.acme.com:8443/")).toBe("go.acme.com:8443");
  expect(hostForm.safeParse({ slug: "https://" }).success).toBe(false);
});
