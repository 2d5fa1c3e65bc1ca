/** Each gateway against a local server that follows its documentation. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type SmsGateway, startSmsGateway } from "../../../test/gateways.ts";
import { giveSettings } from "../../../test/settings.ts";
import { openGateway, signedHeaders } from "./index.ts";
import type { GatewaySettings, OutgoingMessage, SendOutcome } from "./schema.ts";
import { twilioSignature } from "./twilio.ts";

giveSettings({ FUXI_FETCH: "loopback" });

const callback = "https://links.example.com/gateways/gw_1";
const sid = `AC${"0".repeat(32)}`;
let gateway: SmsGateway;

beforeAll(async () => {
  gateway = await startSmsGateway();
  process.env["FUXI_TWILIO_URL"] = gateway.origin;
  process.env["FUXI_ALIBABA_SMS_URL"] = gateway.origin;
});
beforeEach(() => {
  Object.assign(gateway, { sent: [], calls: 0, cut: false, status: undefined });
  gateway.badNumbers.clear();
  gateway.unsubscribed.clear();
  gateway.receipts.clear();
});
afterAll(async () => await gateway.close());

function settingsOf(kind: GatewaySettings["kind"]): GatewaySettings {
  if (kind === "twilio") return { kind, accountSid: sid, sender: "+14155550100" };
  if (kind === "alibaba") {
    return {
      kind,
      accessKeyId: "LTAI5t-example",
      signName: "示例",
      templateCode: "SMS_1234",
      variables: { code: "{code}" },
    };
  }
  return {
    kind,
    url: `${gateway.origin}/send`,
    format: "json",
    body: '{"to": "{phone}", "text": "{text}", "ref": "{messageId}"}',
    header: "Authorization",
    idPath: "data.id",
    okPath: "result",
    okValue: "0",
    statusUrl: `${gateway.origin}/state?ref={messageId}`,
    statusPath: "data.status",
    statusValues: { accepted: ["queued"], delivered: ["delivered"], failed: ["failed"] },
    afterError: "unknown",
  };
}

function open(kind: GatewaySettings["kind"], secret = gateway.secret) {
  return openGateway({
    workspacePk: 1,
    settings: settingsOf(kind),
    secret,
    callback,
    networks: [],
  });
}

let made = 0;
function message(phone: string, text = "Hello go.example.com/abc123"): OutgoingMessage {
  made += 1;
  const slug = `c${made}`;
  return { messageId: `msg_${made}`, phone, text, variables: { code: slug }, slug };
}

const states = (outcomes: readonly SendOutcome[]) => outcomes.map(({ state }) => state);
const kinds = ["http", "twilio", "alibaba"] as const;

describe.each(kinds)("%s", (kind) => {
  test("sends a message and keeps the gateway’s id", async () => {
    const [outcome] = await open(kind).send([message("+8613812345678")]);
    expect(outcome).toEqual({ state: "accepted", gatewayId: gateway.sent[0]?.id });
    expect(gateway.sent).toHaveLength(1);
  });

  test("does not know about a message whose response was lost", async () => {
    gateway.cut = true;
    expect(states(await open(kind).send([message("+8613812345678")]))).toEqual(["unknown"]);
    expect(gateway.sent).toHaveLength(1);
  });

  test("finds a message whose response was lost, and its receipt once there is one", async () => {
    const client = open(kind);
    const lost = message("+8613812345678");
    const find = () => client.find(lost, new Date());
    expect(await find()).toBeUndefined();
    gateway.cut = true;
    await client.send([lost]);
    expect(await find()).toBeUndefined();
    gateway.cut = false;
    const gatewayId = kind === "alibaba" ? null : gateway.sent[0]?.id;
    expect(await find()).toEqual({ gatewayId, state: "accepted", code: null });
    const number = String(gateway.sent[0]?.phone);
    gateway.receipts.set(number, "delivered");
    expect(await find()).toMatchObject({ state: "delivered", code: null });
    gateway.receipts.set(number, "failed");
    expect(await find()).toMatchObject({ state: "failed", code: expect.stringMatching(/./) });
    expect(await open(kind, "wrong").find(lost, new Date())).toBeUndefined();
    expect(gateway.sent).toHaveLength(1);
  });

  test("is not certain about another message to the same phone, and about one of two alike", async () => {
    const client = open(kind);
    const [one, other] = [message("+8613812345678", "One"), message("+8613812345678", "Other")];
    await client.send([one]);
    expect(await client.find(other, new Date())).toBeUndefined();
    await client.send([one]);
    // Another gateway than these is asked by Fuxi’s id, which it has for one message.
    expect((await client.find(one, new Date())) === undefined).toBe(kind !== "http");
  });

  test("may send later what a busy gateway refused", async () => {
    gateway.status = 429;
    const [outcome] = await open(kind).send([message("+8613812345678")]);
    expect(outcome).toMatchObject({ state: "later", waitS: 7 });
  });

  test("may send later what found no server", async () => {
    const client = open(kind);
    await gateway.close();
    const outcomes = await client.send([message("+8613812345678")]);
    gateway = await startSmsGateway(gateway.port);
    expect(states(outcomes)).toEqual(["later"]);
  });

  test("does not know about a message after an error of the server", async () => {
    gateway.status = 502;
    expect(states(await open(kind).send([message("+8613812345678")]))).toEqual(["unknown"]);
  });

  test("is checked without sending anything", async () => {
    expect(await open(kind).check()).toMatchObject({ ok: true });
    const wrong = await open(kind, "wrong").check();
    // The secret of other gateways is not sent in a check.
    expect(wrong.ok).toBe(kind === "http");
    expect(gateway.sent).toEqual([]);
  });

  test("stops with a wrong secret", async () => {
    expect(states(await open(kind, "wrong").send([message("+8613812345678")]))).toEqual([
      "stopped",
    ]);
    expect(gateway.sent).toEqual([]);
  });

  test("refuses one number and sends to the others, each once", async () => {
    const client = open(kind);
    const phones = Array.from({ length: Math.min(10, client.batchMax * 2) }, (_, at) =>
      kind === "alibaba" ? `1381234500${at}` : `+861381234500${at}`,
    );
    const [bad = ""] = phones.splice(1, 1);
    gateway.badNumbers.add(bad);
    const all = [...phones, bad];
    const outcomes = await client.send(all.map((phone) => message(`+86${phone.slice(-11)}`)));
    expect(states(outcomes)).toEqual(all.map((phone) => (phone === bad ? "refused" : "accepted")));
    expect(gateway.sent.map(({ phone }) => phone)).toEqual(phones);
  });
});

test("a text cannot change the structure of a JSON body", async () => {
  const hostile = 'x", "to": "+10000000000", "y": "{phone} \\ \n';
  await open("http").send([message("+8613812345678", hostile)]);
  expect(gateway.sent).toEqual([
    expect.objectContaining({ phone: "+8613812345678", text: hostile }),
  ]);
});

test("a text cannot add fields to a form", async () => {
  const settings = { ...settingsOf("http"), format: "form", body: "to={phone}&text={text}" };
  const hostile = "a&to=+10000000000=%26 ü";
  const client = openGateway({
    workspacePk: 1,
    settings: settings as GatewaySettings,
    secret: gateway.secret,
    callback,
    networks: [],
  });
  await client.send([message("+8613812345678", hostile)]);
  expect(gateway.sent).toEqual([
    expect.objectContaining({ phone: "+8613812345678", text: hostile }),
  ]);
});

test("a response with another value than that of success is a refusal", async () => {
  const settings = { ...settingsOf("http"), okValue: "1" } as GatewaySettings;
  const client = openGateway({
    workspacePk: 1,
    settings,
    secret: gateway.secret,
    callback,
    networks: [],
  });
  expect(states(await client.send([message("+8613812345678")]))).toEqual(["refused"]);
});

test("an unsubscribed recipient of Twilio is opted out", async () => {
  gateway.unsubscribed.add("+14155550101");
  const [outcome] = await open("twilio").send([message("+14155550101")]);
  expect(outcome).toMatchObject({ state: "refused", optedOut: true });
});

test("Alibaba Cloud takes 100 messages in one call", async () => {
  const client = open("alibaba");
  const many = Array.from({ length: client.batchMax }, (_, at) =>
    message(`+86138${10_000_000 + at}`),
  );
  expect(new Set(states(await client.send(many)))).toEqual(new Set(["accepted"]));
  expect([client.batchMax, gateway.calls]).toEqual([100, 1]);
});

test("the signature of Alibaba Cloud is that of its documentation", () => {
  const { authorization } = signedHeaders(
    {
      host: "ecs.cn-shanghai.aliyuncs.com",
      action: "RunInstances",
      version: "2014-05-26",
      query: {
        ImageId: "win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd",
        RegionId: "cn-shanghai",
      },
      body: "",
      date: "2023-10-26T10:22:32Z",
      nonce: "3156853299f313e23d1673dc12e1703d",
    },
    "YourAccessKeyId",
    "YourAccessKeySecret",
  );
  expect(authorization).toContain(
    "Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0",
  );
});

describe("receipts and replies", () => {
  const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

  test("the signature of Twilio is that of its documentation", () => {
    const parameters = new URLSearchParams({
      CallSid: "CA1234567890ABCDE",
      Caller: "+12349013030",
      Digits: "1234",
      From: "+12349013030",
      To: "+18005551212",
    });
    const url = "https://mycompany.com/myapp.php?foo=1&bar=2";
    expect(twilioSignature("12345", url, parameters)).toBe("0/KCTR6DLpKmkAf8muzZqo1nDgQ=");
  });

  function twilioCall(body: string, secret = gateway.secret) {
    const signature = twilioSignature(secret, callback, new URLSearchParams(body));
    return { url: callback, headers: { "x-twilio-signature": signature }, body };
  }

  test.each([
    ["delivered", "", "delivered"],
    ["undelivered", "30005", "failed"],
    ["failed", "21610", "optedOut"],
  ])("Twilio: %s %s is %s", (status, code, state) => {
    const body = form({ MessageSid: "SM1", MessageStatus: status, ErrorCode: code });
    const events = open("twilio").read(twilioCall(body));
    expect(events?.receipts).toEqual([expect.objectContaining({ gatewayId: "SM1", state })]);
  });

  test("Twilio: a message on its way is no receipt", () => {
    const body = form({ MessageSid: "SM1", MessageStatus: "sent" });
    expect(open("twilio").read(twilioCall(body))).toEqual({ receipts: [], replies: [] });
  });

  test("Twilio: a reply", () => {
    const body = form({ From: "+14155550101", Body: "STOP" });
    expect(open("twilio").read(twilioCall(body))?.replies).toEqual([
      { phones: ["+14155550101"], text: "STOP" },
    ]);
  });

  test("Twilio: another secret, another URL or another body is forged", () => {
    const call = twilioCall(form({ MessageSid: "SM1", MessageStatus: "delivered" }));
    const client = open("twilio");
    expect(client.read(call)).toBeDefined();
    expect(client.read(twilioCall(call.body, "wrong"))).toBeUndefined();
    expect(client.read(twilioCall(`${call.body}&x=1`))).toBeDefined();
    expect(client.read({ ...call, url: `${callback}?x` })).toBeUndefined();
    expect(client.read({ ...call, body: `${call.body}&x=1` })).toBeUndefined();
    expect(client.read({ ...call, headers: {} })).toBeUndefined();
  });

  test("Alibaba Cloud: reports and replies, with the numbers that they may mean", () => {
    const body = JSON.stringify([
      { phone_number: "13812345678", success: true, err_code: "DELIVERED", biz_id: "1^1" },
      { phone_number: "85291234567", success: false, err_code: "MK:0001", biz_id: "1^2" },
      { phone_number: "13812345678", content: "拒收请回复R", sign_name: "x" },
    ]);
    expect(open("alibaba").read({ url: callback, headers: {}, body })).toEqual({
      receipts: [
        expect.objectContaining({
          phones: ["+8613812345678", "+13812345678"],
          state: "delivered",
          reason: null,
        }),
        expect.objectContaining({ phones: ["+85291234567"], state: "failed", reason: "MK:0001" }),
      ],
      replies: [{ phones: ["+8613812345678", "+13812345678"], text: "拒收请回复R" }],
    });
  });

  test("any other gateway: Fuxi’s own form", () => {
    const body = JSON.stringify({
      receipts: [{ messageId: "msg_1", state: "opted_out" }],
      replies: [{ phone: "+14155550101", text: "T" }],
    });
    const client = open("http");
    const headers = {};
    expect(client.read({ url: callback, headers, body })).toEqual({
      receipts: [expect.objectContaining({ messageId: "msg_1", state: "optedOut" })],
      replies: [{ phones: ["+14155550101"], text: "T" }],
    });
    const unreadable = { receipts: [], replies: [], problem: "A request body is required." };
    expect(client.read({ url: callback, headers, body: "{" })).toEqual(unreadable);
  });
});
