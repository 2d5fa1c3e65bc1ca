/** The kinds of SMS gateways: their settings in the API, and their inputs in the form. */
import { z } from "zod";
import type { ErrorMessageKey } from "#lib/platform/messages/schema";

const bodyMax = 4_000;
const text = (max: number) => z.string().trim().min(1).max(max);
const variablesMax = 20;

const valuesMax = 20;
const values = z.array(z.string().min(1).max(100)).max(valuesMax).default([]);
const statusValues = z.strictObject({ accepted: values, delivered: values, failed: values });

export type GatewayInput =
  | {
      control: "text";
      error: ErrorMessageKey;
      initial?: string;
      placeholder?: string;
      narrow?: true;
    }
  /** The `body` of a request, with its `format`. */
  | { control: "body"; error: ErrorMessageKey }
  /** Lines such as `code = {code}`. */
  | { control: "variables"; error: ErrorMessageKey }
  /** Lines such as `accepted = queued`. */
  | { control: "values"; error: ErrorMessageKey }
  | { control: "choice"; error: ErrorMessageKey };

export interface GatewayTemplate {
  code: string;
  signature: string;
  /** Texts with columns in braces, by the name of the variable. */
  variables: Readonly<Record<string, string>>;
}

interface GatewayKind<Settings, Inputs> {
  /** Describes the secret in the API document. Null: the gateway has no account, so no secret and no receipts either. */
  secret: string | null;
  /** Only the demo workspace may have it. */
  isDemo?: true;
  inputs: Inputs;
  accountOf: (settings: Settings) => string;
  /** The receiver of the secret, and the header that has it. */
  receiverOf: (settings: Settings) => readonly string[];
  /** URLs that receive messages, by the name of the setting; omitted if they are fixed. */
  urlsOf?: (settings: Settings) => Readonly<Record<string, string>>;
  /** Settings that contradict each other: one of them, and what to do. */
  problemOf?: (settings: Settings) => { setting: string; message: string } | undefined;
  /** Omitted if the gateway takes any text. */
  templateOf?: (settings: Settings) => GatewayTemplate;
}

function define<
  Name extends string,
  Shape extends z.ZodRawShape,
  const Inputs extends Readonly<Record<string, GatewayInput>>,
>(kind: Name, shape: Shape, facts: GatewayKind<z.output<z.ZodObject<Shape>>, Inputs>) {
  return { ...facts, settings: z.strictObject({ kind: z.literal(kind), ...shape }) };
}

/** Placeholders are replaced in values only. */
function hasMessageId({ format, body }: { format: "json" | "form"; body: string }): boolean {
  const isNamed = (value: unknown) => typeof value === "string" && value.includes("{messageId}");
  if (format === "form") return [...new URLSearchParams(body).values()].some(isNamed);
  let isFound = false;
  try {
    JSON.parse(body, (_, value: unknown) => {
      isFound ||= isNamed(value);
      return value;
    });
  } catch {
    return false;
  }
  return isFound;
}

export const gatewayKinds = {
  http: define(
    "http",
    {
      url: z.url({ protocol: /^https?$/ }).max(2_000),
      format: z
        .enum(["json", "form"])
        .describe(
          "json: `body` is JSON, with placeholders in its strings. form: it is a query string.",
        ),
      body: text(bodyMax).describe(
        "The body of a request, with `{phone}`, `{text}` and `{messageId}` (the recipientId).",
      ),
      header: z
        .string()
        .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, "Use the name of a header, such as Authorization.")
        .default("Authorization")
        .describe("The header that carries the secret."),
      idPath: z
        .string()
        .max(100)
        .default("")
        .describe("The path of the message id in a JSON response, such as `data.id`."),
      okPath: z
        .string()
        .max(100)
        .default("")
        .describe(
          "With `okValue`: a path in a JSON response with a status of 2xx and its value for success. Omitted: the status decides.",
        ),
      okValue: z.string().max(100).default(""),
      statusUrl: z
        .union([z.literal(""), z.url({ protocol: /^https?$/ }).max(2_000)])
        .default("")
        .describe(
          "Where Fuxi asks for a message whose response was lost: a GET request with the header, and `{messageId}` and `{phone}` in the URL. Omitted: it doesn’t ask.",
        ),
      statusPath: z
        .string()
        .max(100)
        .default("")
        .describe(
          "The path of the state in a JSON response of `statusUrl`, such as `data.status`.",
        ),
      statusValues: statusValues
        .default({ accepted: [], delivered: [], failed: [] })
        .describe(
          "Which values of `statusPath` mean that the message was accepted, delivered or not delivered. Other values don’t settle the message.",
        ),
      afterError: z
        .enum(["unknown", "resend"])
        .default("unknown")
        .describe(
          "After a status of 5xx or a lost response. unknown: the message may have been sent, so Fuxi doesn’t send it again. resend: Fuxi sends it again with the same `{messageId}`, which must be in `body`; only for gateways that accept each id once.",
        ),
    },
    {
      secret: "the value of the header, such as `Bearer …`",
      inputs: {
        url: { control: "text", error: "urlInvalid", placeholder: "https://sms.example.com/send" },
        body: { control: "body", error: "gatewayBody" },
        header: { control: "text", error: "gatewayHeader", initial: "Authorization" },
        idPath: { control: "text", error: "tooLong", narrow: true },
        okPath: { control: "text", error: "tooLong", narrow: true },
        okValue: { control: "text", error: "tooLong", narrow: true },
        afterError: { control: "choice", error: "gatewayResend" },
        statusUrl: { control: "text", error: "urlInvalid" },
        statusPath: { control: "text", error: "tooLong" },
        statusValues: { control: "values", error: "gatewayValues" },
      },
      accountOf: ({ url }) => new URL(url).host,
      receiverOf: ({ url, statusUrl, header }) => [url, statusUrl, header.toLowerCase()],
      urlsOf: ({ url, statusUrl }) => ({ url, ...(statusUrl === "" ? {} : { statusUrl }) }),
      // defence: resend-with-message-id
      problemOf: (settings) =>
        settings.afterError === "resend" && !hasMessageId(settings)
          ? { setting: "afterError", message: "Put {messageId} in `body` to use resend." }
          : undefined,
    },
  ),
  twilio: define(
    "twilio",
    {
      accountSid: z
        .string()
        .regex(/^AC[0-9a-fA-F]{32}$/, "Use the Account SID, which starts with AC."),
      sender: text(40).describe(
        "A phone number in E.164, a short code, a sender name, or a messaging service (MG…).",
      ),
    },
    {
      secret: "the auth token",
      inputs: {
        accountSid: { control: "text", error: "gatewaySid" },
        sender: { control: "text", error: "gatewaySender" },
      },
      accountOf: ({ sender }) => sender,
      receiverOf: ({ accountSid }) => [accountSid],
    },
  ),
  alibaba: define(
    "alibaba",
    {
      accessKeyId: z.string().regex(/^[A-Za-z0-9._-]{8,128}$/, "Use the AccessKey ID."),
      signName: text(50).describe("The approved signature, without 【】."),
      templateCode: z
        .string()
        .regex(/^SMS_[A-Za-z0-9]{1,30}$/, "Use a template code such as SMS_123456789."),
      variables: z
        .record(z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,29}$/), text(100))
        .refine((values) => Object.keys(values).length <= variablesMax, {
          message: `Use at most ${variablesMax} variables.`,
        })
        .default({ code: "{code}" })
        .describe(
          "The variables of the template: a text with columns in braces. `{code}` is the slug of the short link, because a variable must not have a URL.",
        ),
    },
    {
      secret: "the AccessKey secret",
      inputs: {
        accessKeyId: { control: "text", error: "gatewayKeyId" },
        signName: { control: "text", error: "gatewaySign" },
        templateCode: { control: "text", error: "gatewayTemplate" },
        variables: { control: "variables", error: "gatewayVariables" },
      },
      accountOf: ({ signName, templateCode }) => `【${signName}】 ${templateCode}`,
      receiverOf: ({ accessKeyId }) => [accessKeyId],
      templateOf: ({ signName, templateCode, variables }) => ({
        code: templateCode,
        signature: signName,
        variables,
      }),
    },
  ),
  demo: define(
    "demo",
    {},
    {
      secret: null,
      isDemo: true,
      inputs: {},
      accountOf: () => "",
      receiverOf: () => [],
    },
  ),
} as const;
export type GatewayKindName = keyof typeof gatewayKinds;
export type SettingsOf<Name extends GatewayKindName> = z.output<
  (typeof gatewayKinds)[Name]["settings"]
>;
export type GatewaySettings = SettingsOf<GatewayKindName>;

type AnyKind = GatewayKind<GatewaySettings, Readonly<Record<string, GatewayInput>>>;

/** Sound because the kind of the settings selects the entry. */
export function kindOf(settings: GatewaySettings): AnyKind {
  return gatewayKinds[settings.kind] as AnyKind;
}
