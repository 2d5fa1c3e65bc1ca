/** Campaigns: created from a file of recipients, followed, and exported for a gateway. */
import { CliFailure } from "../failures.ts";
import { type Session, take, writeJson, writeLine, writeNote } from "../session.ts";
import { drawTable } from "../table.ts";
import { plain } from "../terminal.ts";
import { follow, uploadOf } from "../uploads.ts";
import { save } from "./qr.ts";

export async function listCampaigns(session: Session, { limit }: { limit: number }): Promise<void> {
  const query = { pageSize: limit };
  const campaigns = await take(session.fuxi.GET("/api/campaigns", { params: { query } }));
  if (session.json) return writeJson(session, campaigns);
  const lines = drawTable(session.terminal, session.paint, [
    { name: "Id", cells: campaigns.map(({ id }) => id) },
    {
      name: "Recipients",
      cells: campaigns.map(({ recipients }) => String(recipients)),
      align: "right",
    },
    {
      name: "Created",
      cells: campaigns.map(({ createdAt }) => createdAt.slice(0, 10)),
      dispensable: 2,
    },
    { name: "Name", cells: campaigns.map(({ name }) => name), dispensable: 1 },
  ]);
  if (campaigns.length === 0) return writeNote(session, "No campaigns yet.");
  for (const line of lines) writeLine(session, line);
}

export async function showCampaign(session: Session, id: string): Promise<void> {
  const params = { path: { id } };
  const status = await take(session.fuxi.GET("/api/campaigns/{id}/status", { params }));
  if (session.json) return writeJson(session, status);
  const { sending, recipients, clicked, parts, cost, currency } = status;
  const rows: [string, string][] = [
    ["State", sending.state],
    ["Recipients", String(recipients)],
    ["Clicked", String(clicked)],
    ["Parts", String(parts)],
    ...(cost === null ? [] : [["Cost", `${cost} ${currency}`] satisfies [string, string]]),
    ...status.refused.map(({ code, rows: count }): [string, string] => [
      `Refused: ${code}`,
      String(count),
    ]),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, value] of rows) writeLine(session, `${name.padEnd(width)}  ${plain(value)}`);
}

export interface NewCampaignOptions {
  name: string;
  message: string;
  destination: string;
  country: string;
  marketing?: boolean;
  consent?: string;
  consentOn?: string;
  sender?: string;
  optOut?: string;
  domain?: string;
}

export async function createCampaign(
  session: Session,
  path: string,
  options: NewCampaignOptions,
): Promise<void> {
  const { fuxi } = session;
  const { query, request } = await uploadOf(path);
  const { id } = await take(fuxi.POST("/api/campaigns", { body: bodyOf(options) }));
  const added = await take(
    fuxi.POST("/api/campaigns/{id}/files", { params: { path: { id }, query }, ...request }),
  );
  const params = { path: { id: added.id } };
  const { obstacle } = await take(fuxi.GET("/api/recipient-sources/{id}/preview", { params }));
  if (obstacle !== null) {
    await take(fuxi.DELETE("/api/campaigns/{id}", { params: { path: { id } } }));
    throw new CliFailure("refused", plain(obstacle));
  }
  await take(fuxi.POST("/api/recipient-sources/{id}/start", { params }));
  const ended = await follow(session, () =>
    take(fuxi.GET("/api/recipient-sources/{id}", { params })),
  );
  if (session.json) writeJson(session, { campaignId: id, source: ended });
  else writeLine(session, id);
  writeNote(session, `${ended.added} recipients added, ${ended.refused} rows refused.`);
  if (ended.state !== "done") {
    throw new CliFailure("refused", plain(ended.problem ?? `The file is ${ended.state}.`));
  }
  if (ended.refused > 0) throw new CliFailure("partial", `${ended.refused} rows were refused.`);
}

function bodyOf(options: NewCampaignOptions) {
  const { name, message, destination, country, marketing, consent, consentOn } = options;
  const { sender, optOut, domain } = options;
  return {
    name,
    kind: marketing ? ("marketing" as const) : ("service" as const),
    template: message,
    destination,
    defaultCountry: country.toUpperCase(),
    columns: columnsIn(`${message} ${destination}`).map((column) => ({ name: column })),
    ...(consent !== undefined && { consentSource: consent }),
    ...(consentOn !== undefined && { consentOn }),
    ...(sender !== undefined && { senderName: sender }),
    ...(optOut !== undefined && { optOutText: optOut }),
    ...(domain !== undefined && { domain }),
  };
}

/** Placeholders that are not columns of the file. */
const builtIn = new Set(["link", "optout", "recipientId"]);

/** The columns that a message uses: `{name}`, or `{name|a fallback}`. A doubled brace is an escaped brace. */
export function columnsIn(text: string): string[] {
  const names = [...text.replaceAll("{{", "").matchAll(/\{([^{}|]+)(?:\|[^{}]*)?\}/g)].map(
    ([, name = ""]) => name.trim(),
  );
  return [...new Set(names)].filter((name) => !builtIn.has(name));
}

export interface ExportOptions {
  format: "csv" | "jsonl" | "xlsx";
  output?: string;
  report?: boolean;
}

export async function exportCampaign(
  session: Session,
  id: string,
  { format, output, report }: ExportOptions,
): Promise<void> {
  const { fuxi, terminal } = session;
  const path = { id };
  if (format === "xlsx" && !output) throw new CliFailure("usage", "Choose a file with --output.");
  const file = report
    ? take(
        fuxi.GET("/api/campaigns/{id}/report", {
          params: { path, query: { format: "csv" } },
          parseAs: "arrayBuffer",
        }),
      )
    : take(
        fuxi.GET("/api/campaigns/{id}/messages", {
          params: { path, query: { format } },
          parseAs: "arrayBuffer",
        }),
      );
  const bytes = new Uint8Array(await file);
  if (!output) return void terminal.stdout.write(bytes);
  await save(output, bytes);
  if (session.json) writeJson(session, { file: output, bytes: bytes.length });
  writeNote(session, `Saved ${output}`);
}
