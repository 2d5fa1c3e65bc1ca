import { expect, test } from "vitest";
import { createWebhookBody } from "#lib/outreach/webhooks/schema";
import { bodyOf, newDraft } from "./webhook-draft.ts";

const draft = {
  ...newDraft("zh"),
  name: "Chat",
  url: "https://example.com/hook",
  events: ["link.created", "link.clicked"] as const,
  ordered: true,
  signingSecret: " SEC1 ",
};

test("a form for a program has its clicks and order, and no signing secret", () => {
  const body = createWebhookBody.parse(bodyOf({ ...draft, events: [...draft.events] }));
  expect(body).toMatchObject({ events: ["link.created", "link.clicked"], ordered: true });
  expect(body.signingSecret).toBeUndefined();
});

test("a form for a chat leaves out what chats do not have", () => {
  const given = { ...draft, events: [...draft.events], format: "dingtalk" as const };
  const body = createWebhookBody.parse(bodyOf(given));
  expect(body).toMatchObject({ events: ["link.created"], ordered: false, signingSecret: "SEC1" });
  expect(createWebhookBody.parse(bodyOf({ ...given, format: "slack" })).signingSecret).toBe(
    undefined,
  );
  expect(bodyOf({ ...given, signingSecret: " " })).not.toHaveProperty("signingSecret");
});
