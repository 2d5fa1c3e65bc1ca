/** Visits of links that use what the plan of their workspace does not include any more. */
import { beforeAll, expect, test } from "vitest";
import { openIngest } from "#lib/analytics/ingest";
import { listContacts } from "#lib/audience/contacts";
import { listContactsQuery } from "#lib/audience/contacts/schema";
import { operatorOfCommandLine } from "#lib/tenancy/operators";
import { setPlan } from "#lib/tenancy/plan-changes";
import { openFormVisitors } from "./form-visitors.ts";
import { openTestVisits } from "./redirect-server.ts";
import { openTestStores } from "./stores.ts";

openTestStores();
const visits = openTestVisits("downgraded");
const { ask, make, scope } = visits;
const { asking, post } = openFormVisitors(visits);

beforeAll(() => openIngest());

const url = "https://shop.example/start";
const wechat =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.50(0x18003237) NetType/WIFI Language/en";
const program = { open: "miniProgram", appId: "wx0123456789abcdef", path: "pages/index/index" };

const moveTo = (plan: "trial" | "free" | "personal") =>
  setPlan(operatorOfCommandLine(), scope().workspaceId, { plan, limits: null, reason: "Test" });

/** Where a visitor in WeChat is sent; "page": nowhere yet. */
async function sentTo(key: string): Promise<string | undefined> {
  const { status, headers } = await ask(`/${key}`, { headers: { "user-agent": wechat } });
  return status === 302 ? headers.location : "page";
}

test("when a trial has ended, links redirect plainly within a second; what asks for an age still asks; an upgrade restores it", async () => {
  await moveTo("trial");
  const { link, form } = await asking();
  const inApp = await make({ url, insideApps: { open: "browser", canContinue: true } });
  const mini = await make({ url, insideApps: { ...program, canContinue: true } });
  const fields = [{ type: "check", label: "I am at least 18 years old" }];
  const age = await asking({ fields, consent: "", controller: "", privacyUrl: "" });
  const all = () => Promise.all([link, inApp, mini, age.link].map(({ key }) => sentTo(key)));
  expect(await all()).toEqual(["page", "page", "page", "page"]);
  await moveTo("free");
  await expect.poll(all, { timeout: 1_000 }).toEqual([url, url, url, "page"]);
  // A page that is still open stores nothing.
  expect((await post(link.key, { f0: "+442079460018" })).status).toBe(303);
  const found = await listContacts(scope(), listContactsQuery.parse({ formId: form.id }));
  expect(found).toEqual([]);
  await moveTo("personal");
  await expect.poll(all, { timeout: 1_000 }).toEqual(["page", "page", "page", "page"]);
});
