/** The file of a form, however its bytes arrive. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { AppError } from "#lib/platform/errors";
import { boundaryOf, formBytesMax, openFormFile } from "./form-file.ts";

const boundary = "----x";
const head = (more = "") =>
  `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a/links.csv"${more}\r\nContent-Type: text/csv\r\n\r\n`;
const end = `\r\n--${boundary}--\r\n`;

function streamOf(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

async function read(
  ...chunks: readonly (string | Uint8Array)[]
): Promise<[string | undefined, Buffer]> {
  const file = await openFormFile(streamOf(chunks.map((one) => Buffer.from(one))), boundary);
  const parts: Uint8Array[] = [];
  for await (const part of file.bytes) parts.push(part);
  return [file.name, Buffer.concat(parts)];
}

const refusalOf = (...chunks: readonly string[]) =>
  read(...chunks).then(
    () => "ok",
    (error: unknown) => (error instanceof AppError ? error.status : String(error)),
  );

test("a file is the same in every division into chunks", async () => {
  const pieces = fc.constantFrom("\r\n", "--", boundary, "\r", "-", "x", "\u0000", "a,b");
  await fc.assert(
    fc.asyncProperty(fc.array(pieces), fc.integer({ min: 1, max: 40 }), async (texts, size) => {
      // Inside a file a boundary never follows a line break and two dashes.
      const content = texts.join("").replaceAll(`\r\n--${boundary}`, "");
      fc.pre(!content.includes(`\r\n--${boundary}`));
      const whole = Buffer.from(head() + content + end);
      const chunks: Uint8Array[] = [];
      for (let at = 0; at < whole.length; at += size) chunks.push(whole.subarray(at, at + size));
      expect(await read(...chunks)).toEqual(["links.csv", Buffer.from(content)]);
    }),
  );
});

test("a form without its end, with another field, or with more after the file is refused", async () => {
  const content = "https://example.com/\n";
  expect(await refusalOf(head(), content, end)).toBe("ok");
  expect(await refusalOf(head(), content)).toBe(400);
  expect(await refusalOf(head(), content, `\r\n--${boundary}`)).toBe(400);
  expect(await refusalOf(head().replace('"file"', '"other"'), content, end)).toBe(400);
  expect(await refusalOf(head(), content, end.replace("--\r\n", "\r\nmore"))).toBe(400);
  expect(await refusalOf(`preamble${head()}`, content, end)).toBe(400);
});

test("the headers of a file have a limit", async () => {
  const padding = (chars: number) => `; x="${"x".repeat(chars)}"`;
  const room = formBytesMax - head(padding(0)).length - 1;
  expect(await refusalOf(head(padding(room)), end)).toBe("ok");
  expect(await refusalOf(head(padding(2 * formBytesMax)), end)).toBe(400);
});

test("the boundary is read from the header, and other types are no forms", () => {
  expect(boundaryOf("multipart/form-data; boundary=abc")).toBe("abc");
  expect(boundaryOf('Multipart/Form-Data; charset=x; boundary="a b"')).toBe("a b");
  expect(boundaryOf("text/csv; boundary=abc")).toBeUndefined();
  expect(() => boundaryOf("multipart/form-data; x=1")).toThrow(AppError);
  expect(() => boundaryOf(`multipart/form-data; boundary=${"x".repeat(71)}`)).toThrow(AppError);
});
