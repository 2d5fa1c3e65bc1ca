/** A link with a password, through the front. */
import { expect, test } from "vitest";
import { address, made } from "../../../test/api.ts";

test("a visitor who knows the password is sent on, and nobody else learns where", async () => {
  const { shortLink } = await made({ url: address("behind"), password: "open sesame" });
  const link = String(shortLink);
  const send = (password: string) =>
    fetch(link, { method: "POST", redirect: "manual", body: new URLSearchParams({ password }) });

  const form = await fetch(link, { redirect: "manual" });
  expect(form.status).toBe(401);
  expect(form.headers.get("location")).toBeNull();
  expect(await form.text()).not.toContain("/behind");
  expect((await send("wrong")).status).toBe(403);

  const right = await send("open sesame");
  expect(right.status).toBe(303);
  const cookie = String(right.headers.get("set-cookie")?.split(";")[0]);
  const visit = await fetch(link, { redirect: "manual", headers: { cookie } });
  expect([visit.status, visit.headers.get("location")]).toEqual([302, address("behind")]);
});
