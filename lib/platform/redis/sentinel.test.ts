import { expect, test } from "vitest";
import { sentinelOptions } from "./sentinel.ts";

test("an address with Sentinel names its servers, the primary, the account and the database", () => {
  expect(sentinelOptions("sentinel://app:p%40ss@a:26380,[::1]:1,b/mymaster/3")).toMatchObject({
    sentinels: [
      { host: "a", port: 26_380 },
      { host: "::1", port: 1 },
      { host: "b", port: 26_379 },
    ],
    name: "mymaster",
    username: "app",
    password: "p@ss",
    db: 3,
  });
  const encrypted = sentinelOptions("sentinels://:secret@a/main?sentinelPassword=other");
  expect(encrypted).toMatchObject({ name: "main", password: "secret", sentinelPassword: "other" });
  expect(encrypted).toMatchObject({ tls: {}, enableTLSForSentinelMode: true });
  expect(encrypted).not.toHaveProperty("username");
});
