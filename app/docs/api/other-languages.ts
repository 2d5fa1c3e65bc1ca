/** The main calls in Python, PHP and Go, with nothing but what these languages bring along. */

export interface OtherCall {
  address: string;
  method: string;
  /** In values, `$NAME` is an environment variable. */
  headers: Readonly<Record<string, string>>;
  body: unknown;
}

interface Syntax {
  indent: string;
  object: readonly [string, string];
  list: readonly [string, string];
  pair: string;
  words: { true: string; false: string; null: string };
  join: string;
  variable: (name: string) => string;
}

const python: Syntax = {
  indent: "    ",
  object: ["{", "}"],
  list: ["[", "]"],
  pair: ": ",
  words: { true: "True", false: "False", null: "None" },
  join: " + ",
  variable: (name) => `os.environ["${name}"]`,
};
const php: Syntax = {
  indent: "    ",
  object: ["[", "]"],
  list: ["[", "]"],
  pair: " => ",
  words: { true: "true", false: "false", null: "null" },
  join: " . ",
  variable: (name) => `getenv("${name}")`,
};
const go: Syntax = {
  indent: "\t",
  object: ["map[string]any{", "}"],
  list: ["[]any{", "}"],
  pair: ": ",
  words: { true: "true", false: "false", null: "nil" },
  join: " + ",
  variable: (name) => `os.Getenv("${name}")`,
};

/** A text whose `$NAME` are read from the environment. */
function textOf(text: string, syntax: Syntax): string {
  return text
    .split(/\$([A-Z_]+)/)
    .map((part, at) => (at % 2 === 1 ? syntax.variable(part) : JSON.stringify(part)))
    .filter((part) => part !== '""')
    .join(syntax.join);
}

function codeOf(value: unknown, syntax: Syntax, depth: number): string {
  if (typeof value === "string") return textOf(value, syntax) || '""';
  if (typeof value === "number") return String(value);
  if (typeof value !== "object" || value === null)
    return syntax.words[`${value as boolean | null}`];
  const [open, close] = Array.isArray(value) ? syntax.list : syntax.object;
  const lines = Object.entries(value).map(([key, inner]) => {
    const name = Array.isArray(value) ? "" : `${JSON.stringify(key)}${syntax.pair}`;
    return `${syntax.indent.repeat(depth + 1)}${name}${codeOf(inner, syntax, depth + 1)},\n`;
  });
  return `${open}\n${lines.join("")}${syntax.indent.repeat(depth)}${close}`;
}

export function pythonOf({ address, method, headers, body }: OtherCall): string {
  return `${body === undefined ? "" : "import json\n"}import os
from urllib.request import Request, urlopen

request = Request(
    ${textOf(address, python)},
    method="${method}",
    headers=${codeOf(headers, python, 1)},
${body === undefined ? "" : `    data=json.dumps(${codeOf(body, python, 1)}).encode(),\n`})
with urlopen(request) as response:
    print(response.read().decode())`;
}

export function phpOf({ address, method, headers, body }: OtherCall): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `<?php
$context = stream_context_create(["http" => [
    "method" => "${method}",
    "header" => ${codeOf(lines, php, 1)},
${body === undefined ? "" : `    "content" => json_encode(${codeOf(body, php, 1)}),\n`}]]);
echo file_get_contents(${textOf(address, php)}, false, $context);`;
}

export function goOf({ address, method, headers, body }: OtherCall): string {
  const packages = ["fmt", "io", "net/http", "os"];
  if (body !== undefined) packages.unshift("bytes", "encoding/json");
  const imports = packages.map((name) => `\t"${name}"\n`).join("");
  const sets = Object.entries(headers)
    .map(([name, value]) => `\trequest.Header.Set("${name}", ${textOf(value, go)})\n`)
    .join("");
  const content =
    body === undefined ? "" : `\tbody, err := json.Marshal(${codeOf(body, go, 1)})\n\tcheck(err)\n`;
  const reader = body === undefined ? "nil" : "bytes.NewReader(body)";
  return `package main

import (
${imports})

func main() {
${content}\trequest, err := http.NewRequest("${method}", ${textOf(address, go)}, ${reader})
\tcheck(err)
${sets}\tresponse, err := http.DefaultClient.Do(request)
\tcheck(err)
\tdefer response.Body.Close()
\tanswer, err := io.ReadAll(response.Body)
\tcheck(err)
\tfmt.Println(string(answer))
}

func check(err error) {
\tif err != nil {
\t\tpanic(err)
\t}
}`;
}
