/**
 * Messages of campaigns and codes of forms, through a gateway that fails and cuts connections, while the worker is killed:
 * nobody gets a message twice.
 */
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type SmsGateway, startSmsGateway } from "../../test/gateways.ts";
import { send } from "../../test/http-client.ts";
import { askAsOwner } from "./owner.ts";
import { openStage, type Process, type Stage } from "./stage.ts";

const isLong = process.env["TEST_LONG"] !== undefined;
const recipients = isLong ? 20_000 : 200;
const kills = isLong ? 2 : 1;
const endMs = 900_000;
const env = { FUXI_FETCH: "loopback", FUXI_TRUSTED_PROXIES: "127.0.0.1,::1" };
/** Codes that a workspace has in hand at once. */
const callsAtOnce = 10;
/** Visitors of a form. */
const visitors = isLong ? 900 : 60;

let stage: Stage;
let front: Process;
let gateway: SmsGateway;

beforeAll(async () => {
  gateway = await startSmsGateway();
  stage = await openStage();
  // The pages have the sign-in.
  [front] = await Promise.all([stage.start("server.ts", env), stage.start("workers/web.ts")]);
});

afterAll(async () => {
  await stage.close();
  await gateway.close();
});

/** Only people create gateways. */
async function makeGateway(
  name: string,
  afterError: "unknown" | "resend",
): Promise<{ id: string; receiptUrl: string }> {
  const answer = await askAsOwner(stage, front, "POST", "/gateways", {
    name,
    secret: gateway.secret,
    rate: 500,
    settings: {
      kind: "http",
      url: `${gateway.origin}/send`,
      format: "json",
      body: '{"to": "{phone}", "text": "{text}", "ref": "{messageId}"}',
      idPath: "data.id",
      afterError,
    },
  });
  expect([answer.status, answer.text]).toMatchObject([201, expect.any(String)]);
  return JSON.parse(answer.text);
}

async function ask(method: "GET" | "POST", path: string, body?: object) {
  const answer = await front.call(method, path, body);
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Every 25th request is refused, half of them for now, and every 50th is cut. */
function failSometimes() {
  let requests = 0;
  return () => {
    requests += 1;
    if (requests % 50 === 0) return "cut" as const;
    if (requests % 50 === 25) return requests % 100 === 25 ? 429 : 500;
    return undefined;
  };
}

const skipWaits = async () => {
  // Only rows that wait, because the worker locks the others.
  await stage.db.query(
    "UPDATE campaign_send SET due_at = now() WHERE state IN ('due', 'later') AND due_at > now()",
  );
  await stage.db.query("UPDATE campaign_sending SET next_at = now()");
};

/** Waits until the campaign is finished; messages that wait for another attempt are due at once. */
async function untilFinished(id: string, during: (accepted: number) => Promise<void>) {
  const end = Date.now() + endMs;
  while (Date.now() < end) {
    const sending = await ask("GET", `/campaigns/${id}/sending`);
    if (sending.state === "finished") return sending;
    await during(gateway.sent.length);
    await skipWaits();
    await setTimeout(50);
  }
  throw new Error("The campaign was not finished in time");
}

const phonesOf = (first: number) =>
  Array.from({ length: recipients }, (_, at) => `+86138${first + at}`);

/** Sends a campaign to these phones while the gateway fails and workers are killed; its id and the state at its end. */
async function sendThroughFaults(gatewayId: string, phones: readonly string[]) {
  gateway.sent.length = 0;
  const { id } = await ask("POST", "/campaigns", {
    name: "Chaos",
    kind: "service",
    template: "Hi {name}, {link}",
    destination: "https://example.com/",
    defaultCountry: "CN",
    columns: [{ name: "name" }],
  });
  const rows = phones.map((phone, at) => {
    return { messageId: `m${at}`, phone, columns: { name: `N${at}` } };
  });
  for (let at = 0; at < rows.length; at += 10_000) {
    await ask("POST", `/campaigns/${id}/recipients`, rows.slice(at, at + 10_000));
  }
  gateway.fault = failSometimes();
  let worker = await stage.start("workers/index.ts", env);
  await ask("POST", `/campaigns/${id}/start`, { gatewayId, rate: 500 });
  let killed = 0;
  const sending = await untilFinished(id, async (accepted) => {
    if (killed === kills || accepted < ((killed + 1) * recipients) / (kills + 1)) return;
    killed += 1;
    worker.kill("SIGKILL");
    // Skips the wait for the lease to end.
    await stage.db.query("UPDATE campaign_sending SET lease_until = now() - interval '1 second'");
    worker = await stage.start("workers/index.ts", env);
  });
  gateway.fault = undefined;
  expect(killed).toBe(kills);
  expect(sending.counts).toMatchObject({ due: 0, attempting: 0, later: 0, refused: 0 });
  return { id, worker, counts: sending.counts };
}

/** Sends receipts for half of the messages; those of the others are lost. */
async function sendReceipts(receiptUrl: string): Promise<number> {
  const receipts = gateway.sent
    .filter((_, at) => at % 2 === 0)
    .map(({ ref }) => ({ messageId: ref, state: "delivered" }));
  const { pathname } = new URL(receiptUrl);
  for (let at = 0; at < receipts.length; at += 500) {
    const body = JSON.stringify({ receipts: receipts.slice(at, at + 500) });
    const answer = await send(`${front.url}${pathname}`, { method: "POST", body });
    expect(answer.status).toBe(200);
  }
  return receipts.length;
}

/** As the guide says: looks every unknown message up at the gateway, by its recipientId. */
async function settleUnknown(id: string): Promise<number> {
  const found: { recipientId: string; messageId: string; position: number }[] = [];
  for (;;) {
    const after = found.at(-1)?.position ?? 0;
    const page = `state=unknown&pageSize=100&startingAfter=${after}`;
    const sends = await ask("GET", `/campaigns/${id}/sends?${page}`);
    if (sends.length === 0) break;
    found.push(...sends);
  }
  const sent = new Set(gateway.sent.map(({ ref }) => ref));
  for (const as of ["sent", "again"]) {
    const own = found.filter(({ recipientId }) => sent.has(recipientId) === (as === "sent"));
    const messageIds = own.map(({ messageId }) => messageId);
    if (own.length === 0) continue;
    expect(await ask("POST", `/campaigns/${id}/settle`, { messageIds, as })).toEqual({
      settled: own.length,
    });
  }
  return found.length;
}

test("nobody gets two messages, every recipient has one state, and what is unknown is settled", {
  timeout: endMs * 2 + 60_000,
}, async () => {
  const { id: gatewayId, receiptUrl } = await makeGateway("Chaos", "unknown");
  const phones = phonesOf(10_000_000);
  const { id, worker, counts } = await sendThroughFaults(gatewayId, phones);
  const sent = gateway.sent.map(({ phone }) => phone);
  expect(new Set(sent).size).toBe(sent.length);
  expect(counts.accepted + counts.unknown).toBe(recipients);
  // Lost responses, errors of the server, and what the killed workers were sending.
  expect(counts.unknown).toBeGreaterThanOrEqual(recipients / 50);

  const delivered = await sendReceipts(receiptUrl);
  const { counts: received } = await ask("GET", `/campaigns/${id}/sending`);
  expect(received.delivered).toBe(delivered);
  expect(await settleUnknown(id)).toBe(received.unknown);
  const { counts: settled } = await untilFinished(id, async () => {});
  expect(settled).toMatchObject({ unknown: 0, delivered, accepted: recipients - delivered });
  expect(gateway.sent.map(({ phone }) => phone).toSorted()).toEqual(phones);
  worker.kill("SIGTERM");
});

test("a gateway that accepts each id once gets every message once, and nothing is left to settle", {
  timeout: endMs + 60_000,
}, async () => {
  gateway.known = new Map();
  const { id: gatewayId } = await makeGateway("Once", "resend");
  const phones = phonesOf(20_000_000);
  const { worker, counts } = await sendThroughFaults(gatewayId, phones);
  expect(counts).toMatchObject({ accepted: recipients, unknown: 0 });
  expect(gateway.sent.map(({ phone }) => phone).toSorted()).toEqual(phones);
  // Lost responses, errors and busy moments were repeated.
  expect(gateway.calls).toBeGreaterThan(recipients * 1.03);
  gateway.known = undefined;
  worker.kill("SIGTERM");
});

/** Asks for a code to the phone of this visitor. */
async function askForCode(key: string, at: number): Promise<void> {
  const answer = await send(`${front.url}/${key}`, {
    method: "POST",
    headers: { "X-Forwarded-For": `10.1.${at >> 8}.${at & 255}` },
    body: new URLSearchParams({ version: "1", consent: "1", f0: phoneOf(at) }),
  });
  expect(answer.status).toBe(303);
}

const phoneOf = (at: number) => `+86139${20_000_000 + at}`;

async function countCodes(where: string): Promise<number> {
  const { rows } = await stage.db.query(`SELECT count(*)::int AS n FROM phone_code WHERE ${where}`);
  return rows[0].n;
}

test("no code of a form is sent twice, and all but those of a killed worker have an outcome", {
  timeout: endMs + 60_000,
}, async () => {
  gateway.sent.length = 0;
  gateway.fault = failSometimes();
  const { id: gatewayId } = await makeGateway("Codes", "unknown");
  const form = await ask("POST", "/forms", {
    name: "Offer",
    published: true,
    title: "Get the offer",
    consent: "We call you about the offer.",
    controller: "Acme Ltd, London",
    privacyUrl: "https://acme.example/privacy",
    fields: [{ type: "phone" }],
    confirmPhone: true,
    codeCountries: ["CN"],
    gatewayId,
  });
  await stage.db.query("UPDATE workspace SET codes_per_day = $1", [visitors]);
  const { key } = await ask("POST", "/links", { url: "https://example.com/", formId: form.id });
  let worker = await stage.start("workers/index.ts", env);
  for (let at = 0; at < visitors; at++) await askForCode(key, at);
  let killed = 0;
  let lost = 0;
  const end = Date.now() + endMs;
  while ((await countCodes("state = 'due'")) > 0 || (await countCodes(isBeingSent)) > 0) {
    if (Date.now() > end) throw new Error("The codes were not sent in time");
    // Another attempt is due at once, and time for it is left however slow the machine is.
    await stage.db.query(
      "UPDATE phone_code SET due_at = now(), asked_at = now() WHERE state = 'due'",
    );
    if (killed < kills && gateway.sent.length >= ((killed + 1) * visitors) / (kills + 2)) {
      killed += 1;
      worker.kill("SIGKILL");
      const { rowCount } = await stage.db.query(
        "UPDATE phone_code SET attempted_at = now() - interval '1 hour' WHERE state = 'attempting'",
      );
      lost += rowCount ?? 0;
      worker = await stage.start("workers/index.ts", env);
    }
    await setTimeout(20);
  }
  gateway.fault = undefined;
  expect(killed).toBe(kills);
  const phones = gateway.sent.map(({ phone }) => phone);
  expect(new Set(phones).size).toBe(phones.length);
  expect(await countCodes("true")).toBe(visitors);
  // The last statement of a killed worker may have been carried out after it.
  const left = await countCodes("state = 'attempting'");
  expect(left).toBeLessThanOrEqual(lost + kills * callsAtOnce);
  expect(await countCodes("state = 'sent'")).toBe(visitors - left);
  // Each of those that were sent for sure; the rest had an error of the gateway, which may have sent it.
  const unsure = visitors / 50 + visitors / 100 + left;
  expect(phones.length).toBeGreaterThanOrEqual(visitors - unsure - 1);
  worker.kill("SIGTERM");
});

/** By a worker that runs: the gateway is of this machine. */
const isBeingSent = "state = 'attempting' AND attempted_at > now() - interval '1 minute'";
