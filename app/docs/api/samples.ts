/**
 * The same call for a shell and in TypeScript. Samples run unchanged: the API key and the objects of a call come from environment
 * variables, such as $FUXI_API_KEY and $LINK_ID.
 */
import { goOf, phpOf, pythonOf } from "./other-languages.ts";
import type { OperationDoc } from "./reference.ts";
import { type SampleCall, sampleCalls } from "./sample-calls.ts";

export interface CodeSamples {
  curl: string;
  typescript: string;
  /** Only the main calls have these. */
  python?: string;
  php?: string;
  go?: string;
}

const mainCalls = new Set([
  "createLink",
  "createCampaign",
  "addRecipients",
  "createDomain",
  "createForm",
  "createWebhook",
  "askAnalytics",
  "trackLead",
]);

export function firstSamplesOf(server: string): CodeSamples {
  return { curl: firstCall(server), typescript: firstProgram(server) };
}

function firstCall(server: string): string {
  return [
    `curl -X POST "${server}/api/links"`,
    `-H "Authorization: Bearer $FUXI_API_KEY"`,
    `-H "Content-Type: application/json"`,
    `-d '{"url": "https://example.com/autumn"}'`,
  ].join(" \\\n  ");
}

function firstProgram(server: string): string {
  return [
    `import { Dub } from "dub";`,
    "",
    `const links = new Dub({`,
    `  token: process.env.FUXI_API_KEY,`,
    `  serverURL: "${server}/api",`,
    `}).links;`,
    "",
    `const { shortLink } = await links.create({`,
    `  url: "https://example.com/autumn",`,
    `});`,
    "console.log(shortLink);",
  ].join("\n");
}

const pathVariables: Record<string, string> = {
  links: "LINK_ID",
  bulk: "JOB_ID",
  "social-images": "IMAGE_ID",
  imports: "IMPORT_ID",
  importers: "IMPORTER_ID",
  campaigns: "CAMPAIGN_ID",
  "recipient-sources": "SOURCE_ID",
  "opt-outs": "OPT_OUT_ID",
  gateways: "GATEWAY_ID",
  webhooks: "WEBHOOK_ID",
  customers: "CUSTOMER_ID",
  forms: "FORM_ID",
  contacts: "CONTACT_ID",
  "public-keys": "PUBLIC_KEY_ID",
  domains: "DOMAIN",
  "wechat-domains": "DOMAIN",
  folders: "FOLDER_ID",
  tags: "TAG_ID",
  utm: "UTM_TEMPLATE_ID",
  "qr-logos": "QR_LOGO_ID",
  "qr-templates": "QR_TEMPLATE_ID",
  workspaces: "WORKSPACE",
};

const variable = /\$([A-Z_]+)/g;

/** Undefined if an API key may not make this call. */
export function samplesOf(server: string, operation: OperationDoc): CodeSamples | undefined {
  if (operation.caller === "person") return undefined;
  const given = sampleCalls[operation.id] ?? {};
  const path = operation.path.replace(/([\w-]+)\/\{\w+\}/g, (_, segment: string) => {
    const name = pathVariables[segment];
    if (name === undefined) throw new Error(`The path of ${operation.id} has an unknown parameter`);
    return `${segment}/$${name}`;
  });
  const search = Object.entries(given.query ?? {}).map(
    ([name, value]) => `${name}=${value.startsWith("$") ? value : encodeURIComponent(value)}`,
  );
  const call: Call = {
    ...given,
    address: `${server}${path}${search.length > 0 ? `?${search.join("&")}` : ""}`,
    method: operation.method,
    hasKey: operation.caller === "key",
    body: given.body ?? operation.example,
    answersText: operation.answersText,
  };
  const samples = { curl: curlOf(call), typescript: typescriptOf(call) };
  return mainCalls.has(operation.id) ? { ...samples, ...inOtherLanguages(call) } : samples;
}

function inOtherLanguages({ address, method, body }: Call) {
  const headers = {
    Authorization: "Bearer $FUXI_API_KEY",
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
  };
  const call = { address, method, headers, body };
  return { python: pythonOf(call), php: phpOf(call), go: goOf(call) };
}

/** The body of an example as JSON; undefined if the operation has none. */
export function bodyOf({ id, example }: OperationDoc): string | undefined {
  const body = sampleCalls[id]?.body ?? example;
  return body === undefined ? undefined : JSON.stringify(body, null, 2);
}

interface Call extends SampleCall {
  address: string;
  method: string;
  hasKey: boolean;
  answersText: boolean;
}

function curlOf({ address, method, hasKey, body, file, saveAs }: Call): string {
  const verb = method === "GET" ? "" : ` -X ${method}`;
  const lines = [`curl${verb} "${address}"`];
  if (hasKey) lines.push(`-H "Authorization: Bearer $FUXI_API_KEY"`);
  if (body !== undefined) {
    // Variables are not replaced within single quotes.
    const data = JSON.stringify(body).replaceAll("'", "'\\''").replace(variable, `'"$$$1"'`);
    lines.push(`-H "Content-Type: application/json"`, `-d '${data}'`);
  }
  if (file) lines.push(`-F file=@${file}`);
  if (saveAs) lines.push(`-o ${saveAs}`);
  return lines.join(" \\\n  ");
}

function typescriptOf({ address, body, file, saveAs, ...call }: Call): string {
  const imports = [...(file ? ["readFile"] : []), ...(saveAs ? ["writeFile"] : [])];
  const lines =
    imports.length > 0 ? [`import { ${imports.join(", ")} } from "node:fs/promises";`, ""] : [];
  if (file) {
    lines.push(
      "const form = new FormData();",
      `form.set("file", new Blob([await readFile("${file}")]), "${file}");`,
    );
  }
  const options = [
    ...(call.method === "GET" ? [] : [`  method: "${call.method}",`]),
    ...headersOf(call.hasKey, body !== undefined),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${literalOf(body)}),`]),
    ...(file ? ["  body: form,"] : []),
  ];
  const place = textOf(address);
  lines.push(
    ...(options.length > 0
      ? [`const response = await fetch(${place}, {`, ...options, "});"]
      : [`const response = await fetch(${place});`]),
  );
  if (saveAs) {
    lines.push(
      "console.log(response.status);",
      `await writeFile("${saveAs}", new Uint8Array(await response.arrayBuffer()));`,
    );
  } else {
    lines.push(
      `console.log(response.status, await response.${call.answersText ? "text" : "json"}());`,
    );
  }
  return lines.join("\n");
}

function headersOf(hasKey: boolean, hasBody: boolean): string[] {
  if (!hasKey && !hasBody) return [];
  return [
    "  headers: {",
    ...(hasKey ? [`    Authorization: "Bearer " + process.env.FUXI_API_KEY,`] : []),
    ...(hasBody ? [`    "Content-Type": "application/json",`] : []),
    "  },",
  ];
}

function textOf(value: string): string {
  const inserted = value.replace(variable, "$${process.env.$1}");
  return inserted === value ? JSON.stringify(value) : `\`${inserted}\``;
}

function literalOf(body: unknown): string {
  return JSON.stringify(body, null, 2)
    .replace(/"\$([A-Z_]+)"/g, "process.env.$1")
    .replace(/"(\w+)":/g, "$1:")
    .replaceAll("\n", "\n  ");
}
