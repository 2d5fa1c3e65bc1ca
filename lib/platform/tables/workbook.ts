/**
 * Reads the first visible sheet of an Excel workbook as CSV, row by row. A file that unpacks to
 * more than its directory declares is refused.
 */
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from "yauzl";
import { AppError } from "#lib/platform/errors";
import { ArchiveReader, type TableFile } from "./files.ts";
import { tableError } from "./problems.ts";
import { workbookMegabytesMax } from "./schema.ts";
import { SheetReader, XmlParser } from "./sheet.ts";

const megabyte = 1_048_576;
export const workbookBytesMax = workbookMegabytesMax * megabyte;

export function workbookTooLarge(): AppError {
  return tableError("workbook_too_large", { megabytes: workbookMegabytesMax });
}

const unpackedBytesMax = 250 * megabyte;
/** Shared texts are all in memory. */
const sharedBytesMax = 64 * megabyte;
const entriesMax = 10_000;

const cellsMax = 20_000_000;

export interface WorkbookLimits {
  unpacked: number;
  shared: number;
  cells: number;
}

const usualLimits: WorkbookLimits = {
  unpacked: unpackedBytesMax,
  shared: sharedBytesMax,
  cells: cellsMax,
};

/** Whether a ZIP archive is a workbook is known only at its end. */
export function isArchive(start: Uint8Array): boolean {
  return [0x50, 0x4b, 0x03, 0x04].every((byte, at) => start[at] === byte);
}

/** Yields CSV in UTF-8. Throws the problem of the file. `limits` is for tests. */
export async function* linesOfWorkbook(
  file: Pick<TableFile, "read">,
  bytes: number,
  limits = usualLimits,
): AsyncGenerator<Uint8Array, undefined> {
  // defence: workbook-declared-size
  const options = { autoClose: false, lazyEntries: true };
  const archive = new ArchiveReader(file);
  const zip = await fromRandomAccessReaderPromise(archive, bytes, options).catch(broken);
  try {
    const parts = await listParts(zip);
    const sheet = await findSheet(zip, parts);
    const shared = parts.get("xl/sharedStrings.xml");
    const styles = parts.get("xl/styles.xml");
    assertSizes([sheet.entry, shared, styles], shared, limits);
    const texts = shared ? await readShared(zip, shared) : [];
    const dateStyles = styles ? await readDateStyles(zip, styles) : new Set<number>();
    const { since1904 } = sheet;
    const reader = new SheetReader({ texts, dateStyles, since1904, cellsMax: limits.cells });
    for await (const text of textOf(zip, sheet.entry)) {
      reader.write(text);
      const lines = reader.take();
      if (lines !== "") yield Buffer.from(lines);
    }
    yield Buffer.from(reader.end());
    return undefined;
  } catch (error) {
    // Other errors come from the archive or its XML, not from us.
    throw error instanceof AppError ? error : tableError("workbook_broken");
  } finally {
    zip.close();
  }
}

function broken(): never {
  throw tableError("workbook_broken");
}

type Parts = ReadonlyMap<string, Entry>;

async function listParts(zip: ZipFile): Promise<Parts> {
  if (zip.entryCount > entriesMax) broken();
  const parts = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) parts.set(entry.fileName, entry);
  return parts;
}

/** Parts that describe a workbook are small. A large one is refused unread. */
const smallBytesMax = 4 * megabyte;

interface Sheet {
  entry: Entry;
  since1904: boolean;
}

async function findSheet(zip: ZipFile, parts: Parts): Promise<Sheet> {
  const book = parts.get("xl/workbook.xml");
  const links = parts.get("xl/_rels/workbook.xml.rels");
  if (!book || !links) throw tableError("is_archive");
  const sheets: { id: string; hidden: boolean }[] = [];
  let since1904 = false;
  await readSmall(zip, book, (name, attributes) => {
    if (name === "workbookPr") since1904 = /^(1|true)$/.test(attributes["date1904"] ?? "");
    if (name !== "sheet") return;
    const hidden = (attributes["state"] ?? "visible") !== "visible";
    sheets.push({ id: attributes["r:id"] ?? "", hidden });
  });
  const targets = new Map<string, string>();
  await readSmall(zip, links, (name, { Id = "", Target = "" }) => {
    if (name === "Relationship") targets.set(Id, Target);
  });
  const chosen = sheets.find(({ hidden }) => !hidden) ?? sheets[0];
  const target = targets.get(chosen?.id ?? "") ?? "";
  const entry = parts.get(target.startsWith("/") ? target.slice(1) : `xl/${target}`);
  if (!entry) throw tableError("workbook_broken");
  return { entry, since1904 };
}

function assertSizes(
  read: readonly (Entry | undefined)[],
  shared: Entry | undefined,
  limits: WorkbookLimits,
): void {
  const sum = read.reduce((bytes, entry) => bytes + (entry?.uncompressedSize ?? 0), 0);
  // defence: workbook-unpacked-size
  if (sum > limits.unpacked) throw tooLarge(limits.unpacked);
  // defence: workbook-shared-texts
  if ((shared?.uncompressedSize ?? 0) > limits.shared) throw tooLarge(limits.shared);
}

function tooLarge(bytes: number): AppError {
  return tableError("workbook_unpacked", { megabytes: Math.ceil(bytes / megabyte) });
}

/** yauzl throws if there is more than the directory declares. */
async function* textOf(zip: ZipFile, entry: Entry): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const stream = await zip.openReadStreamPromise(entry);
  for await (const bytes of stream) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}

type Attributes = Readonly<Record<string, string>>;

async function readSmall(
  zip: ZipFile,
  entry: Entry,
  onTag: (name: string, attributes: Attributes) => void,
): Promise<void> {
  if (entry.uncompressedSize > smallBytesMax) broken();
  const parser = new XmlParser({ onTag });
  for await (const text of textOf(zip, entry)) parser.write(text);
  parser.end();
}

async function readShared(zip: ZipFile, entry: Entry): Promise<string[]> {
  const texts: string[] = [];
  let current = "";
  let inText = false;
  let inPhonetic = false;
  const parser = new XmlParser({
    onTag(name) {
      if (name === "si") current = "";
      else if (name === "t") inText = true;
      else if (name === "rPh") inPhonetic = true;
    },
    onText(text) {
      if (inText && !inPhonetic) current += text;
    },
    onEnd(name) {
      if (name === "si") texts.push(current);
      else if (name === "t") inText = false;
      else if (name === "rPh") inPhonetic = false;
    },
  });
  for await (const text of textOf(zip, entry)) parser.write(text);
  parser.end();
  return texts;
}

/** Formats that every program knows as dates or times. */
const isBuiltInDate = (format: number) =>
  (format >= 14 && format <= 22) ||
  (format >= 27 && format <= 36) ||
  (format >= 45 && format <= 47) ||
  (format >= 50 && format <= 58);

async function readDateStyles(zip: ZipFile, entry: Entry): Promise<Set<number>> {
  const custom = new Set<number>();
  /** Formats by cell style. The file has other lists of formats before and after them. */
  const formats: number[] = [];
  let list = "";
  await readSmall(zip, entry, (name, { numFmtId = "", formatCode = "" }) => {
    if (name === "numFmt" && isDateFormat(formatCode)) custom.add(Number(numFmtId));
    if (name === "xf" && list === "cellXfs") formats.push(Number(numFmtId));
    if (/^(cellStyleXfs|cellXfs|cellStyles|dxfs)$/.test(name)) list = name;
  });
  const isDate = (format: number) => custom.has(format) || isBuiltInDate(format);
  return new Set(formats.flatMap((format, style) => (isDate(format) ? [style] : [])));
}

/** Looks for letters of dates outside of quoted texts, colors and locales. */
function isDateFormat(code: string): boolean {
  return /[ymdhs]/i.test(code.replace(/"[^"]*"|\[[^\]]*\]|\\./g, ""));
}
