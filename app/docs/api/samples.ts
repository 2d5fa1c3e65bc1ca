/** The same call for a shell and in TypeScript. */
import type { OperationDoc } from "./reference.ts";

export interface CodeSamples {
  curl: string;
  typescript: string;
}

/** The path with its parameters replaced by their names. */
function urlOf(server: string, path: string): string {
  return server + path.replace(/\{(\w+)\}/g, (_, name: string) => `<${name}>`);
}

export function samplesOf(server: string, { method, path, example }: OperationDoc): CodeSamples {
  const address = urlOf(server, path);
  const verb = method === "GET" ? "" : ` -X ${method}`;
  const lines = [`curl${verb} "${address}"`, `-H "Authorization: Bearer $FUXI_API_KEY"`];
  if (example) {
    lines.push(
      `-H "Content-Type: application/json"`,
      `-d '${JSON.stringify(JSON.parse(example))}'`,
    );
  }
  return { curl: lines.join(" \\\n  "), typescript: typescriptOf(address, method, example) };
}

function typescriptOf(address: string, method: string, example: string | undefined): string {
  const lines = [`const response = await fetch("${address}", {`];
  if (method !== "GET") lines.push(`  method: "${method}",`);
  lines.push("  headers: {", `    Authorization: "Bearer " + process.env.FUXI_API_KEY,`);
  if (example) lines.push(`    "Content-Type": "application/json",`);
  lines.push("  },");
  if (example) lines.push(`  body: JSON.stringify(${example.replaceAll("\n", "\n  ")}),`);
  lines.push("});", "console.log(response.status, await response.json());");
  return lines.join("\n");
}
