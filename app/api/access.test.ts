import { expect, test } from "vitest";
import { access, accessOf, maskedAnswer } from "./access.ts";
import { newRouter } from "./router.ts";

test("a route that doesn’t declare what it needs is closed", async () => {
  const router = newRouter().basePath("/api");
  router.onError((error, c) => c.text(error.message, 500));
  router.use("*", async (c, next) => {
    accessOf(c);
    await next();
  });
  router.get("/undeclared", (c) => c.text("open"));
  const answer = await router.request("/api/undeclared");
  expect(answer.status).toBe(500);
  expect(await answer.text()).toMatch(/GET \/api\/undeclared doesn’t declare what it needs/);
  expect((await router.request("/api/missing")).status).toBe(404);
});

test("an operation on personal data needs people.view, or a reason: anything else does not compile", () => {
  access("people.view", { personal: true });
  access("campaigns.write", { also: "people.view", personal: true });
  access("campaigns.read", { personal: maskedAnswer });
  // @ts-expect-error Without people.view a reason is needed.
  access("campaigns.read", { personal: true });
  // @ts-expect-error It is not one of the permissions.
  access("campaigns.everything");
});

test("operations for people are not for keys, and those for nobody need no credentials, in the document too", () => {
  expect(access("keys.write", { people: true })).toMatchObject({ security: [{ session: [] }] });
  expect(access("nobody")).toMatchObject({ security: [], "x-fuxi-access": { rate: "network" } });
  expect(access("links.read").security).toBeUndefined();
});
