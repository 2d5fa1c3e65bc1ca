"use server";

import type { ZodType, z } from "zod";
import { assertNever } from "#lib/basics/variants/schema";
import {
  checkGateway,
  createGateway,
  deleteGateway,
  editGateway,
} from "#lib/outreach/gateway-accounts";
import { createGatewayBody, editGatewayBody } from "#lib/outreach/gateway-accounts/schema";
import { type GatewayInput, gatewayKinds } from "#lib/outreach/gateways/schema";
import type { ErrorMessageKey } from "#lib/platform/messages/schema";
import { formArgument, nameArgument, readBy } from "../../../../action.ts";
import { type ParsedForm, parseBody } from "../../../../form-data.ts";
import { changeAction, readAction } from "../../../workspace-action.ts";

export const createGatewayAction = changeAction(
  [readBy(formArgument(), (data) => readGateway(data, createGatewayBody))],
  createGateway,
);

export const editGatewayAction = changeAction(
  [nameArgument, readBy(formArgument(), (data) => readGateway(data, editGatewayBody))],
  editGateway,
);

export const renewReceiptUrlAction = changeAction([nameArgument], (scope, id) =>
  editGateway(scope, id, { newReceiptUrl: true }),
);

export const checkGatewayAction = readAction([nameArgument], checkGateway);

export const deleteGatewayAction = changeAction([nameArgument], deleteGateway);

/** The message for each field of the form that the API refuses. */
const messages: Readonly<Record<string, ErrorMessageKey>> = {
  name: "gatewayName",
  rate: "gatewayRate",
  secret: "gatewaySecretInvalid",
};

function inputsOf(kind: string): [string, GatewayInput][] {
  return Object.entries(gatewayKinds).flatMap(([name, { inputs }]) =>
    name === kind ? Object.entries<GatewayInput>(inputs) : [],
  );
}

function readGateway<Schema extends ZodType>(
  data: FormData,
  schema: Schema,
): ParsedForm<z.output<Schema>> {
  const inputs = inputsOf(String(data.get("kind")));
  const errors = new Map(inputs.map(([name, { error }]) => [name, error]));
  const fieldOf = ([first = "", second = "name"]: string[]) =>
    first === "settings" ? second : first;
  const messageOf = (path: string[]) =>
    errors.get(fieldOf(path)) ?? messages[fieldOf(path)] ?? "unknown";
  return parseBody(bodyOf(data, inputs), schema, { fieldOf, messageOf });
}

/** An empty secret leaves the stored one unchanged. */
function bodyOf(data: FormData, inputs: readonly [string, GatewayInput][]): object {
  const textOf = (name: string) => String(data.get(name) ?? "").trim();
  const settings = inputs.map(([name, input]) => settingsOf(name, input, textOf));
  const secret = textOf("secret");
  return {
    name: textOf("name"),
    rate: Number(textOf("rate")),
    settings: Object.assign({ kind: textOf("kind") }, ...settings),
    ...(secret === "" ? {} : { secret }),
  };
}

function settingsOf(name: string, input: GatewayInput, textOf: (name: string) => string): object {
  switch (input.control) {
    case "text":
    case "choice":
      return { [name]: textOf(name) };
    case "body":
      return { [name]: textOf(name), format: textOf("format") };
    case "variables":
      return { [name]: Object.fromEntries(linesOf(textOf(name))) };
    case "values":
      return { [name]: valuesOf(textOf(name)) };
    default:
      return assertNever(input);
  }
}

/** Lines such as `code = {code}`. A line without = is refused. */
function linesOf(text: string): [name: string, value: string][] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => {
    const at = line.indexOf("=");
    return at < 0 ? [line, ""] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
  });
}

function valuesOf(text: string): Record<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of linesOf(text)) {
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  return Object.fromEntries(values);
}
