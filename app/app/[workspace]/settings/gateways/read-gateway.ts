/** The form of a gateway as the body of the API. An error belongs to a field of the form. */
import type { ZodType, z } from "zod";
import type { ErrorMessageKey } from "#lib/platform/messages/schema";
import type { ParsedForm } from "../../../../form-data.ts";

const messages: Readonly<Record<string, ErrorMessageKey>> = {
  name: "gatewayName",
  rate: "gatewayRate",
  secret: "gatewaySecretInvalid",
  url: "urlInvalid",
  body: "gatewayBody",
  header: "gatewayHeader",
  idPath: "tooLong",
  okPath: "tooLong",
  okValue: "tooLong",
  accountSid: "gatewaySid",
  sender: "gatewaySender",
  accessKeyId: "gatewayKeyId",
  signName: "gatewaySign",
  templateCode: "gatewayTemplate",
  variables: "gatewayVariables",
};

const fieldsOfKind: Readonly<Record<string, readonly string[]>> = {
  http: ["url", "format", "body", "header", "idPath", "okPath", "okValue"],
  twilio: ["accountSid", "sender"],
  alibaba: ["accessKeyId", "signName", "templateCode"],
};

export function readGateway<Schema extends ZodType>(
  data: FormData,
  schema: Schema,
): ParsedForm<z.output<Schema>> {
  const parsed = schema.safeParse(bodyOf(data));
  if (parsed.success) return { ok: true, value: parsed.data };
  const names = parsed.error.issues.map(({ path: [first, second] }) =>
    String(first === "settings" ? (second ?? "name") : first),
  );
  const fields = names.map((name): [string, ErrorMessageKey] => [
    name,
    messages[name] ?? "unknown",
  ]);
  return { ok: false, fields: Object.fromEntries(fields) };
}

/** A secret that was left empty stays as it is. */
function bodyOf(data: FormData): object {
  const textOf = (name: string) => String(data.get(name) ?? "").trim();
  const kind = textOf("kind");
  const given = (fieldsOfKind[kind] ?? []).map((name) => [name, textOf(name)]);
  const secret = textOf("secret");
  return {
    name: textOf("name"),
    rate: Number(textOf("rate")),
    settings: {
      kind,
      ...Object.fromEntries(given),
      ...(kind === "alibaba" ? { variables: variablesOf(textOf("variables")) } : {}),
    },
    ...(secret === "" ? {} : { secret }),
  };
}

/** Lines such as `code = {code}`. A line without = is no name of a variable, so it is refused. */
function variablesOf(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf("=");
      return at < 0 ? [line, ""] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}
