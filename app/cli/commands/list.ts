import { folderIdOf } from "../links.ts";
import { type Session, take, writeJson, writeLine, writeNote } from "../session.ts";
import { drawTable } from "../table.ts";

export interface ListOptions {
  domain?: string;
  tag?: string[];
  folder?: string;
  archived?: boolean;
  sort: "createdAt" | "clicks" | "lastClicked";
  limit: number;
  page: number;
}

export async function list(
  session: Session,
  search: string | undefined,
  options: ListOptions,
): Promise<void> {
  const { fuxi } = session;
  const { domain, tag, folder, archived, sort, limit, page } = options;
  const filters = {
    ...(search !== undefined && { search }),
    ...(domain !== undefined && { domain }),
    ...(tag && { tagNames: tag }),
    ...(folder !== undefined && { folderId: await folderIdOf(session, folder) }),
    ...(archived && { showArchived: "true" }),
  };
  const query = { ...filters, sortBy: sort, page, pageSize: limit };
  const links = await take(fuxi.GET("/api/links", { params: { query } }));
  if (session.json) return writeJson(session, links);
  const lines = drawTable(session.terminal, session.paint, [
    { name: "Short link", cells: links.map(({ shortLink }) => shortLink) },
    { name: "Clicks", cells: links.map(({ clicks }) => String(clicks)), align: "right" },
    {
      name: "Created",
      cells: links.map(({ createdAt }) => createdAt.slice(0, 10)),
      dispensable: 2,
    },
    { name: "Destination", cells: links.map(({ url }) => url), dispensable: 1 },
  ]);
  if (links.length > 0) for (const line of lines) writeLine(session, line);
  if (!session.terminal.stdout.isTTY) return;
  const total = await take(fuxi.GET("/api/links/count", { params: { query: filters } }));
  writeNote(session, footer(Number(total), links.length, options));
}

function footer(total: number, shown: number, { limit, page }: ListOptions): string {
  if (shown === 0) return total === 0 ? "No links match." : "This page doesn’t exist.";
  const from = (page - 1) * limit;
  const next = from + shown < total ? ` More: --page ${page + 1}` : "";
  return `${from + 1}–${from + shown} of ${total} links.${next}`;
}
