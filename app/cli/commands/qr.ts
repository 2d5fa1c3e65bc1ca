/** The QR code of a link, in the terminal or as a file with the design of the link. */
import { writeFile } from "node:fs/promises";
import { CliFailure } from "../failures.ts";
import { findLink } from "../links.ts";
import { drawQrLines } from "../qr-drawing.ts";
import { type Session, take, writeJson, writeLine, writeNote } from "../session.ts";

export interface QrOptions {
  png?: string;
  svg?: string;
  pdf?: string;
  size?: number;
}

const formats = ["png", "svg", "pdf"] as const;

export async function qr(session: Session, named: string, options: QrOptions): Promise<void> {
  const link = await findLink(session, named);
  const wanted = formats.flatMap((format) => {
    const path = options[format];
    return path === undefined ? [] : [{ format, path }];
  });
  for (const { format, path } of wanted) {
    await save(path, await fetchCode(session, link.id, format, options.size));
    writeNote(session, `Saved ${path}`);
  }
  // Visits of this URL are counted as QR scans.
  const url = `${link.shortLink}?qr=1`;
  if (session.json) return writeJson(session, { id: link.id, url, files: wanted });
  if (wanted.length > 0) return;
  const isPlain = session.paint("bold", "") === "";
  const lines = drawQrLines(url, isPlain ? "terminal" : "black-on-white");
  for (const line of lines) writeLine(session, line);
  writeNote(session, link.shortLink);
}

async function fetchCode(
  { fuxi }: Session,
  id: string,
  format: (typeof formats)[number],
  size: number | undefined,
): Promise<Uint8Array> {
  const query = { format, ...(size !== undefined && { size }) };
  const image = await take(
    fuxi.GET("/api/links/{id}/qr", { params: { path: { id }, query }, parseAs: "arrayBuffer" }),
  );
  return new Uint8Array(image);
}

export async function save(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(path, bytes);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliFailure("usage", `${path} can’t be written: ${reason}`);
  }
}
