/** Webhooks as automation services make them (REST hooks). */
import { expect, test } from "vitest";
import { makeTestScope } from "../../../test/scope.ts";
import { openTestStores } from "../../../test/stores.ts";
import { startWebhookReceiver } from "../../../test/webhooks.ts";
import { deliverAll } from "./delivery-jobs.ts";
import { deleteWebhook, listSamples, listWebhooks, sendTestEvent, subscribe } from "./index.ts";

openTestStores({ FUXI_FETCH: "loopback" });

/** The paths of all fields; PostgreSQL stores them in an order of its own. */
function fieldsOf(value: unknown, path = ""): string[] {
  if (value === null || typeof value !== "object") return [path];
  const inside = Object.entries(value);
  return inside.flatMap(([name, one]) => fieldsOf(one, `${path}.${name}`)).sort();
}

test("a subscription gets its event in the shape of the sample, until it is deleted", async () => {
  const ada = await makeTestScope("ada");
  const receiver = await startWebhookReceiver();
  const hook = await subscribe(ada, { targetUrl: receiver.url, event: "link.clicked" });
  expect(hook).toMatchObject({ name: new URL(receiver.url).host, events: ["link.clicked"] });
  await sendTestEvent(ada, hook.id, "link.clicked");
  await deliverAll();
  const [sample] = listSamples(ada, "link.clicked");
  expect(fieldsOf(JSON.parse(String(receiver.got[0]?.body)))).toEqual(fieldsOf(sample));
  await deleteWebhook(ada, hook.id);
  expect(await listWebhooks(ada)).toEqual([]);
  await receiver.close();
});

test("a subscription needs an https URL of a public server", async () => {
  const bob = await makeTestScope("bob");
  const subscription = { targetUrl: "http://10.0.0.1/", event: "link.created" } as const;
  await expect(subscribe(bob, subscription)).rejects.toThrow("Use an https URL");
});
