import { anyDomain } from "#lib/transfer/imports/schema";
import { CliFailure } from "../failures.ts";
import { folderIdOf } from "../links.ts";
import { type Session, take, writeJson, writeLine, writeNote } from "../session.ts";
import { plain } from "../terminal.ts";
import { follow, uploadOf } from "../uploads.ts";
import { chooseFields, type Mapped, withFields } from "./import-fields.ts";
import { save } from "./qr.ts";

export interface ImportOptions {
  domain?: string;
  map?: string[];
  folder?: string;
  onTaken: "refuse" | "generate";
  dryRun?: boolean;
  results?: string;
}

const shownMax = 10;

export async function importFile(
  session: Session,
  path: string,
  options: ImportOptions,
): Promise<void> {
  const { fuxi } = session;
  const folderId =
    options.folder === undefined ? undefined : await folderIdOf(session, options.folder);
  const { query, request } = await uploadOf(path);
  const file = await take(fuxi.POST("/api/imports", { params: { query }, ...request }));
  const { id } = file;
  const params = { path: { id } };
  const mapping = await mappingOf(session, file, options).catch(async (failure: unknown) => {
    await take(fuxi.DELETE("/api/imports/{id}", { params }));
    throw failure;
  });
  const { domain } = options;
  const changed = {
    onTakenKey: options.onTaken,
    ...(domain !== undefined && { domain, domains: { [anyDomain]: domain } }),
    ...(folderId !== undefined && { folderId }),
  };
  await take(fuxi.PATCH("/api/imports/{id}", { params, body: { mapping, options: changed } }));
  const preview = await take(fuxi.GET("/api/imports/{id}/preview", { params }));
  if (options.dryRun || preview.obstacle !== null) {
    // Nothing was created, so the file is no longer needed.
    await take(fuxi.DELETE("/api/imports/{id}", { params }));
    return report(session, preview);
  }
  for (const { message } of preview.warnings) writeNote(session, plain(message));
  await run(session, id, options);
}

/** The fields that the server suggests, those of `--map`, or those that the person chooses in a terminal. */
async function mappingOf(
  { terminal, json }: Session,
  file: Mapped,
  { map }: ImportOptions,
): Promise<Mapped["mapping"]> {
  if (map) return withFields(file, map);
  const isComplete = file.mapping.includes("url") && !file.mapping.includes(null);
  const canAsk = terminal.stdin.isTTY && terminal.stderr.isTTY && !json;
  return isComplete || !canAsk ? file.mapping : await chooseFields(terminal, file);
}

interface Preview {
  obstacle: string | null;
  checked: number;
  problems: { line: number; message: string }[];
  refused: { rows: number }[];
}

function report(session: Session, preview: Preview): void {
  const refused = preview.refused.reduce((sum, { rows }) => sum + rows, 0);
  if (session.json) writeJson(session, preview);
  else {
    writeLine(session, `${preview.checked - refused} of ${preview.checked} rows can be imported.`);
    for (const { line, message } of preview.problems.slice(0, shownMax)) {
      writeLine(session, `Line ${line}: ${plain(message)}`);
    }
  }
  if (preview.obstacle !== null) throw new CliFailure("refused", plain(preview.obstacle));
  if (refused > 0) throw new CliFailure("partial", `${refused} rows would be refused.`);
}

async function run(session: Session, id: string, { results }: ImportOptions): Promise<void> {
  const { fuxi } = session;
  const params = { path: { id } };
  await take(fuxi.POST("/api/imports/{id}/start", { params }));
  const ended = await follow(session, () => take(fuxi.GET("/api/imports/{id}", { params })));
  if (results !== undefined) {
    const file = take(fuxi.GET("/api/imports/{id}/results", { params, parseAs: "arrayBuffer" }));
    await save(results, new Uint8Array(await file));
    writeNote(session, `Saved ${results}`);
  }
  if (session.json) writeJson(session, ended);
  else writeLine(session, `${ended.made} links created, ${ended.refused} rows refused.`);
  if (ended.state !== "done") {
    throw new CliFailure("refused", plain(ended.error ?? `The import is ${ended.state}.`));
  }
  if (ended.refused > 0) await explainRefusals(session, id, ended.refused);
}

async function explainRefusals(session: Session, id: string, count: number): Promise<void> {
  const params = { path: { id }, query: { pageSize: shownMax } };
  const rows = await take(session.fuxi.GET("/api/imports/{id}/refused", { params }));
  for (const { line, message } of rows) writeNote(session, `Line ${line}: ${plain(message)}`);
  throw new CliFailure(
    "partial",
    `${count} rows were refused. Correct them and import them again.`,
  );
}
