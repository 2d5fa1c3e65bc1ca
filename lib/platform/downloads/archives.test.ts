import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openPromise } from "yauzl";
import { readArchive, readEach } from "../../../test/archive.ts";
import { ZipWriter } from "./zip.ts";

const isLong = Boolean(process.env["TEST_LONG"]);
const never = Number.POSITIVE_INFINITY;

async function archiveOf(
  files: Record<string, string>,
  wideFrom?: { bytes: number; files: number },
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  const zip = new ZipWriter(async (bytes) => void chunks.push(bytes), wideFrom);
  for (const [name, text] of Object.entries(files)) await zip.add(name, (write) => write(text));
  await zip.end();
  return Buffer.concat(chunks);
}

const files = {
  "empty.csv": "",
  "短链接 🦊.csv": "a,b\r\n1,2\r\n",
  "long.csv": Array.from({ length: 500 }, (_, n) => `${n * 7919},`).join(""),
  "last.csv": "the end",
};

test.each([
  ["usual numbers", undefined],
  ["wider numbers for the longer ones", { bytes: 100, files: never }],
  ["wider numbers for all", { bytes: 0, files: 0 }],
])("every file of an archive is read back, with %s", async (_, wideFrom) => {
  const read = await readArchive(await archiveOf(files, wideFrom));
  expect(read.map(({ name, bytes }) => [name, bytes.toString()])).toEqual(Object.entries(files));
});

// The format's own limit takes half a minute each.
const wideFiles = isLong ? 65_535 : 20;

test.each([wideFiles - 1, wideFiles, wideFiles + 1])("an archive has %i files", async (count) => {
  const many = Object.fromEntries(Array.from({ length: count }, (_, n) => [`${n}`, ""]));
  const archive = await archiveOf(many, isLong ? undefined : { bytes: never, files: wideFiles });
  // The usual end record comes last. With ZIP64, it has 65,535 instead of the count.
  const written = archive.readUInt16LE(archive.length - 12);
  expect(written).toBe(count < wideFiles ? count : 65_535);
  expect(await readArchive(archive)).toHaveLength(count);
});

test("a long file, and one behind it, are read back from their offsets", async () => {
  const folder = await mkdtemp(join(tmpdir(), "fuxi-archive-"));
  try {
    const path = join(folder, "large.zip");
    const out = createWriteStream(path);
    const send = (bytes: Uint8Array) =>
      new Promise<void>((resolve, reject) =>
        out.write(bytes, (error) => (error ? reject(error) : resolve())),
      );
    const zip = new ZipWriter(send);
    const megabyte = Buffer.alloc(2 ** 20, "Fuxi ");
    // More than 4 GB.
    const megabytes = isLong ? 4_100 : 3;
    await zip.add("large", async (write) => {
      for (let n = 0; n < megabytes; n++) await write(megabyte);
    });
    await zip.add("small", (write) => write("the end"));
    await zip.end();
    await new Promise((resolve) => out.end(resolve));
    const lengths: Record<string, number> = {};
    await readEach(await openPromise(path, { lazyEntries: true }), async (name, content) => {
      for await (const chunk of content) lengths[name] = (lengths[name] ?? 0) + chunk.length;
    });
    expect(lengths).toEqual({ large: megabytes * megabyte.length, small: 7 });
  } finally {
    await rm(folder, { recursive: true });
  }
}, 300_000);
