import { expect, test } from "vitest";
import { openTestVisits } from "../../../test/redirect-server.ts";
import { openTestStores } from "../../../test/stores.ts";
import { outcomes } from "./outcomes.ts";

openTestStores();
const { ask, make } = openTestVisits("outcomes");

test("each visit is counted once, by its outcome", async () => {
  const url = "https://example.com/";
  const plain = await make({ url });
  const secret = await make({ url, password: "open sesame" });
  const over = await make({ url, expiresAt: "2020-01-01T00:00:00Z", expiredUrl: url });
  const visits: [path: string, outcome: keyof typeof outcomes, method?: string][] = [
    [`/${plain.key}`, "sentOn"],
    [`/${plain.key}`, "sentOn"],
    [`/${plain.key}+`, "preview"],
    [`/${secret.key}`, "password"],
    [`/${over.key}`, "sentElsewhere"],
    ["/nothing-here", "missing"],
    [`/${plain.key}`, "refused", "DELETE"],
  ];
  for (const [path, outcome, method = "GET"] of visits) {
    const before = { ...outcomes };
    await ask(path, { method });
    expect(outcomes).toEqual({ ...before, [outcome]: before[outcome] + 1 });
  }
});
