import { expect, test } from "vitest";
import { giveSettings } from "../../../test/settings.ts";
import { grantCookie } from "./password.ts";

giveSettings({ FUXI_URL: "https://links.example.com" });

test("behind https a grant is sent over https only, inaccessible to scripts and to other sites", () => {
  const [pair, ...attributes] = grantCookie("grant", "/abc").split("; ");
  expect(pair).toBe("fuxi_grant=grant");
  expect(attributes).toEqual(["Path=/abc", "Max-Age=3600", "HttpOnly", "SameSite=Lax", "Secure"]);
});

test("a path cannot add attributes to its cookie", () => {
  for (const path of ["/a;Domain=example.com", "/a\r\nX: 1", "/a b", "a"]) {
    expect(grantCookie("grant", path)).toContain("; Path=/; ");
  }
});
