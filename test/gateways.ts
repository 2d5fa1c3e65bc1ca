/**
 * Local SMS gateways that follow public documentation:
 *
 * - Twilio: “Messages resource” (2010-04-01), also “Read multiple Message resources”, and the error dictionary,
 *   www.twilio.com/docs.
 * - Alibaba Cloud: SendBatchSms and QuerySendDetails (2017-05-25) with signature V3,
 *   help.aliyun.com/zh/sms/developer-reference.
 * - Any other: one POST per message, and a GET request for its state.
 */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { signedHeaders } from "#lib/outreach/gateways";

export interface SentMessage {
  phone: string;
  text: string;
  id: string;
  /** Fuxi’s id, where the request has one. */
  ref?: string;
  /** Alibaba only. */
  template?: string;
  at: Date;
}

export interface SmsGateway {
  origin: string;
  port: number;
  /** What was accepted, in order. A number twice is a message sent twice. */
  sent: SentMessage[];
  calls: number;
  /** Twilio and Alibaba only. */
  secret: string;
  /** Numbers that no message can be sent to. */
  badNumbers: Set<string>;
  unsubscribed: Set<string>;
  /** Numbers whose messages have a receipt; others are on their way. */
  receipts: Map<string, "delivered" | "failed">;
  /** Questions about messages. */
  asked: number;
  /** Before a response: accepts the messages and closes the connection. */
  cut: boolean;
  /** Answers every call with this status. */
  status: number | undefined;
  /** For a request: a status without accepting it, or accepting it and closing the connection. */
  fault: (() => number | "cut" | undefined) | undefined;
  /** For a gateway that accepts each of Fuxi’s ids once: the ids of its messages by Fuxi’s. */
  known: Map<string, string> | undefined;
  /** Runs before a response. */
  seen: (() => Promise<void>) | undefined;
  close: () => Promise<void>;
}

export async function startSmsGateway(at = 0): Promise<SmsGateway> {
  const server = createServer((req, res) => void answer(gateway, req, res));
  await new Promise<void>((resolve) => server.listen(at, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const gateway: SmsGateway = {
    origin: `http://127.0.0.1:${port}`,
    port,
    sent: [],
    calls: 0,
    secret: "gateway-secret",
    badNumbers: new Set(),
    unsubscribed: new Set(),
    receipts: new Map(),
    asked: 0,
    cut: false,
    status: undefined,
    fault: undefined,
    known: undefined,
    seen: undefined,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return gateway;
}

interface Reply {
  status: number;
  body: unknown;
}

async function answer(gateway: SmsGateway, req: IncomingMessage, res: ServerResponse) {
  let body = "";
  for await (const part of req) body += part;
  gateway.calls += 1;
  await gateway.seen?.();
  const fault = gateway.fault?.();
  const status = typeof fault === "number" ? fault : gateway.status;
  const reply = status
    ? { status, body: { code: 20_429, message: "Too Many Requests" } }
    : replyOf(gateway, req, body);
  if (gateway.cut || fault === "cut") return void req.socket.destroy();
  res.writeHead(reply.status, { "content-type": "application/json", "retry-after": "7" });
  res.end(JSON.stringify(reply.body));
}

function replyOf(gateway: SmsGateway, req: IncomingMessage, body: string): Reply {
  const isQuestion = req.method === "GET" || req.headers["x-acs-action"] === "QuerySendDetails";
  if (isQuestion) gateway.asked += 1;
  if (req.url?.startsWith("/2010-04-01/")) return twilio(gateway, req, new URLSearchParams(body));
  if (req.headers["x-acs-action"]) return alibaba(gateway, req, body);
  return plain(gateway, req, body);
}

function twilio(gateway: SmsGateway, req: IncomingMessage, form: URLSearchParams): Reply {
  const [account] = /AC[0-9a-f]{32}/.exec(req.url ?? "") ?? [];
  const expected = Buffer.from(`${account}:${gateway.secret}`).toString("base64");
  if (req.headers.authorization !== `Basic ${expected}`) {
    return { status: 401, body: { code: 20_003, message: "Authenticate", status: 401 } };
  }
  if (req.method === "GET") return listTwilio(gateway, new URL(String(req.url), gateway.origin));
  const [phone = "", text = ""] = [form.get("To") ?? "", form.get("Body") ?? ""];
  if (phone === "") {
    return {
      status: 400,
      body: { code: 21_604, message: "A 'To' phone number is required.", status: 400 },
    };
  }
  if (gateway.badNumbers.has(phone)) {
    return {
      status: 400,
      body: { code: 21_211, message: "Invalid 'To' Phone Number", status: 400 },
    };
  }
  if (gateway.unsubscribed.has(phone)) {
    return {
      status: 400,
      body: { code: 21_610, message: "Attempt to send to unsubscribed recipient", status: 400 },
    };
  }
  const sid = `SM${randomUUID().replaceAll("-", "")}`;
  gateway.sent.push({ phone, text, id: sid, at: new Date() });
  return { status: 201, body: { sid, status: "queued", error_code: null } };
}

/** The messages to a number, the newest first; `DateSent>` is a day in UTC. */
function listTwilio(gateway: SmsGateway, { searchParams: query }: URL): Reply {
  const since = Date.parse(`${query.get("DateSent>") ?? "1970-01-01"}T00:00:00Z`);
  const listed = gateway.sent.filter(
    ({ phone, at }) => phone === query.get("To") && at.getTime() >= since,
  );
  const messages = listed.toReversed().map(({ phone, text, id, at }) => {
    const receipt = gateway.receipts.get(phone);
    return {
      sid: id,
      to: phone,
      from: "+14155550100",
      body: text,
      direction: "outbound-api",
      status: receipt === "failed" ? "undelivered" : (receipt ?? "sent"),
      error_code: receipt === "failed" ? 30_005 : null,
      date_sent: at.toUTCString(),
    };
  });
  const size = Number(query.get("PageSize") ?? 50);
  return { status: 200, body: { messages: messages.slice(0, size), page: 0, page_size: size } };
}

const batchMax = 100;

function alibaba(gateway: SmsGateway, req: IncomingMessage, body: string): Reply {
  const header = (name: string) => String(req.headers[name] ?? "");
  const { searchParams } = new URL(String(req.url), gateway.origin);
  const [, keyId = ""] = /Credential=([^,]+),/.exec(header("authorization")) ?? [];
  const signed = signedHeaders(
    {
      host: header("host"),
      action: header("x-acs-action"),
      version: header("x-acs-version"),
      query: Object.fromEntries(searchParams),
      body,
      contentType: header("content-type"),
      date: header("x-acs-date"),
      nonce: header("x-acs-signature-nonce"),
    },
    keyId,
    gateway.secret,
  );
  if (signed["authorization"] !== header("authorization")) {
    return { status: 400, body: { Code: "SignatureDoesNotMatch", Message: "signature" } };
  }
  if (header("x-acs-action") === "QuerySendDetails") return listAlibaba(gateway, searchParams);
  const form = new URLSearchParams(body);
  const list = (name: string): unknown[] => JSON.parse(form.get(name) ?? "[]");
  const numbers = list("PhoneNumberJson").map(String);
  const variables = list("TemplateParamJson");
  if (numbers.length === 0) {
    return { status: 400, body: { Code: "MissingPhoneNumberJson", Message: "is mandatory" } };
  }
  if (numbers.length > batchMax) {
    return { status: 200, body: { Code: "isv.MOBILE_COUNT_OVER_LIMIT", Message: "over limit" } };
  }
  if (numbers.some((number) => gateway.badNumbers.has(number))) {
    return { status: 200, body: { Code: "isv.MOBILE_NUMBER_ILLEGAL", Message: "illegal number" } };
  }
  const id = `${Date.now()}^${gateway.calls}`;
  for (const [at, phone] of numbers.entries()) {
    const template = String(form.get("TemplateCode"));
    gateway.sent.push({ phone, text: JSON.stringify(variables[at]), id, template, at: new Date() });
  }
  return { status: 200, body: { Code: "OK", Message: "OK", BizId: id, RequestId: randomUUID() } };
}

const chinaMs = 8 * 3_600_000;

/** The messages to a number on a day in China, with the finished text and without their BizId. */
function listAlibaba(gateway: SmsGateway, query: URLSearchParams): Reply {
  const dayOf = (at: Date) =>
    new Date(at.getTime() + chinaMs).toISOString().slice(0, 10).replaceAll("-", "");
  const size = Number(query.get("PageSize"));
  if (size < 1 || size > 50) {
    return { status: 200, body: { Code: "isv.PAGE_SIZE_ILLEGAL", Message: "PageSize" } };
  }
  const listed = gateway.sent.filter(
    ({ phone, at }) => phone === query.get("PhoneNumber") && dayOf(at) === query.get("SendDate"),
  );
  const details = listed.map(({ phone, text, template, at }) => {
    const receipt = gateway.receipts.get(phone);
    return {
      PhoneNum: phone,
      Content: `【示例】${Object.values(JSON.parse(text)).join("，")}`,
      TemplateCode: template,
      SendDate: at.toISOString(),
      SendStatus: receipt === undefined ? 1 : receipt === "failed" ? 2 : 3,
      ErrCode: receipt === "failed" ? "MK:0001" : "DELIVERED",
      OutId: "",
    };
  });
  const body = {
    Code: "OK",
    Message: "OK",
    TotalCount: String(details.length),
    SmsSendDetailDTOs: { SmsSendDetailDTO: details.slice(0, size) },
  };
  return { status: 200, body };
}

function plain(gateway: SmsGateway, req: IncomingMessage, body: string): Reply {
  if (req.method === "GET" && req.url?.startsWith("/state")) return stateOf(gateway, req);
  if (req.method !== "POST") return { status: 405, body: { error: "method" } };
  if (req.headers.authorization !== gateway.secret) return { status: 401, body: { error: "key" } };
  const isForm = req.headers["content-type"]?.startsWith("application/x-www-form-urlencoded");
  const given: Record<string, unknown> = isForm
    ? Object.fromEntries(new URLSearchParams(body))
    : JSON.parse(body);
  const phone = String(given["to"]);
  if (gateway.badNumbers.has(phone)) return { status: 422, body: { error: "invalid number" } };
  const [text, ref] = [String(given["text"]), String(given["ref"])];
  const known = gateway.known?.get(ref);
  const id = known ?? randomUUID();
  if (!known) gateway.sent.push({ phone, text, id, ref, at: new Date() });
  gateway.known?.set(ref, id);
  return { status: 200, body: { result: "0", data: { id } } };
}

/** The state of a message by Fuxi’s id. */
function stateOf(gateway: SmsGateway, req: IncomingMessage): Reply {
  if (req.headers.authorization !== gateway.secret) return { status: 401, body: { error: "key" } };
  const ref = new URL(String(req.url), gateway.origin).searchParams.get("ref");
  const found = gateway.sent.find((one) => one.ref === ref);
  if (!found) return { status: 404, body: { error: "unknown message" } };
  const status = gateway.receipts.get(found.phone) ?? "queued";
  return { status: 200, body: { data: { id: found.id, status } } };
}

export type GatewayKind = "alibaba" | "http" | "twilio";

/** The settings of a workspace's gateway that calls a local one. */
export function settingsOf({ origin }: SmsGateway, kind: GatewayKind) {
  if (kind === "twilio") {
    return { kind, accountSid: `AC${"0".repeat(32)}`, sender: "+14155550100" };
  }
  if (kind === "alibaba") {
    return {
      kind,
      accessKeyId: "LTAI5t-example",
      signName: "示例",
      templateCode: "SMS_1234",
      variables: { code: "{code}", name: "{name|客户}" },
    };
  }
  return {
    kind,
    url: `${origin}/send`,
    format: "json",
    body: '{"to": "{phone}", "text": "{text}", "ref": "{messageId}"}',
    idPath: "data.id",
    statusUrl: `${origin}/state?ref={messageId}`,
    statusPath: "data.status",
    statusValues: { accepted: ["queued"], delivered: ["delivered"], failed: ["failed"] },
  };
}
