/**
 * The file of a form (multipart/form-data), as a stream: a file of gigabytes is never held in memory. The form has one
 * field, `file`.
 *
 *     --boundary CRLF headers CRLF CRLF bytes of the file CRLF --boundary--
 */
import { AppError } from "#lib/platform/errors";

/** Room for the boundaries and the headers of the file. */
export const formBytesMax = 16_384;
const boundaryCharsMax = 70;

export interface FormFile {
  /** The name that the client gave the file, without folders. */
  name: string | undefined;
  bytes: ReadableStream<Uint8Array>;
}

/** The boundary of a form; undefined for any other Content-Type. */
export function boundaryOf(contentType: string): string | undefined {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) return undefined;
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain ?? "";
  if (boundary !== "" && boundary.length <= boundaryCharsMax) return boundary;
  throw invalidForm();
}

export async function openFormFile(
  body: ReadableStream<Uint8Array>,
  boundary: string,
): Promise<FormFile> {
  const reader = body.getReader();
  const start = await readHead(reader, boundary);
  const parts = partsUntil(reader, start.rest, Buffer.from(`\r\n--${boundary}`, "latin1"));
  const bytes = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const part = await parts.next();
      if (part.done) controller.close();
      else controller.enqueue(part.value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return { name: start.name, bytes };
}

/** Yields the bytes before the boundary as soon as they cannot be part of it. */
async function* partsUntil(
  reader: BodyReader,
  first: Buffer,
  end: Buffer,
): AsyncGenerator<Uint8Array> {
  let held = first;
  for (let at = held.indexOf(end); ; at = held.indexOf(end)) {
    const known = at < 0 ? Math.max(held.length - end.length + 1, 0) : at;
    if (known > 0) yield held.subarray(0, known);
    held = held.subarray(known);
    if (at >= 0) break;
    held = Buffer.concat([held, await readMore(reader)]);
  }
  await assertEnd(reader, held.subarray(end.length));
}

type BodyReader = ReadableStreamDefaultReader<Uint8Array>;

async function readMore(reader: BodyReader): Promise<Uint8Array> {
  const { value } = await reader.read();
  if (value) return value;
  throw new AppError("bad_request", "The form ends before its file. Send the file again.");
}

async function readHead(
  reader: BodyReader,
  boundary: string,
): Promise<{ name: string | undefined; rest: Buffer<ArrayBufferLike> }> {
  let bytes: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  const mark = "\r\n\r\n";
  // defence: form-head-size
  while (bytes.length < formBytesMax) {
    const at = bytes.indexOf(mark);
    if (at >= 0) {
      const name = nameIn(bytes.subarray(0, at).toString("utf8"), boundary);
      return { name, rest: bytes.subarray(at + mark.length) };
    }
    bytes = Buffer.concat([bytes, await readMore(reader)]);
  }
  throw invalidForm();
}

function nameIn(head: string, boundary: string): string | undefined {
  const [first, ...headers] = head.split("\r\n");
  const disposition = headers.find((line) =>
    /^content-disposition\s*:\s*form-data\s*;/i.test(line),
  );
  const field = /;\s*name="?file"?\s*(?:;|$)/i.test(disposition ?? "");
  if (first !== `--${boundary}` || !field) throw invalidForm();
  const [, name] = /;\s*filename="((?:[^"\\]|\\.)*)"/i.exec(disposition ?? "") ?? [];
  return name?.replace(/\\(.)/g, "$1").split(/[/\\]/).at(-1) || undefined;
}

/** Only the end may follow the file: other fields would be ignored silently. */
async function assertEnd(reader: BodyReader, rest: Buffer): Promise<void> {
  let text = rest.toString("latin1");
  for (let read = await reader.read(); read.value; read = await reader.read()) {
    text += Buffer.from(read.value).toString("latin1");
    if (text.length > formBytesMax) break;
  }
  // defence: form-ends-with-boundary
  if (!/^--\s*$/.test(text)) throw invalidForm();
}

function invalidForm(): AppError {
  return new AppError(
    "bad_request",
    "Send a form with one field, `file`, such as curl -F file=@links.csv. Use query parameters for everything else.",
  );
}
