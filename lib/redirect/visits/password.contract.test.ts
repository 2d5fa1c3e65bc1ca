/** A link with a password, through the front. */
import { expect, test } from "vitest";
import { address, makeLink } from "../../../test/contract-server.ts";
import { send } from "../../../test/http-client.ts";

test("a visitor with the password is redirected, and no other visitor learns the destination", async () => {
  const { shortLink } = await makeLink({ url: address("behind"), password: "open sesame" });
  const link = String(shortLink);
  const give = (password: string) =>
    send(link, { method: "POST", body: new URLSearchParams({ password }) });

  const form = await send(link);
  expect(form.status).toBe(401);
  expect(form.headers["location"]).toBeUndefined();
  expect(form.text).not.toContain("/behind");
  expect((await give("wrong")).status).toBe(403);

  const right = await give("open sesame");
  expect(right.status).toBe(303);
  const cookie = String(right.headers["set-cookie"]?.[0]?.split(";")[0]);
  const visit = await send(link, { headers: { cookie } });
  expect([visit.status, visit.headers["location"]]).toEqual([302, address("behind")]);
});
