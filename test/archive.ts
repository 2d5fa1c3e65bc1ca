/** For tests: a ZIP archive, read by an independent library, with each checksum verified. */
import { crc32 } from "node:zlib";
import { fromBufferPromise, type ZipFile } from "yauzl";

export interface ArchivedFile {
  name: string;
  bytes: Buffer;
}

export async function readArchive(archive: Buffer): Promise<ArchivedFile[]> {
  const zip = await fromBufferPromise(archive, { lazyEntries: true });
  const files: ArchivedFile[] = [];
  await readEach(zip, async (name, content) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(chunk);
    files.push({ name, bytes: Buffer.concat(chunks) });
  });
  return files;
}

/** Passes on the content of each file, which must be read to its end. */
export async function readEach(
  zip: ZipFile,
  take: (name: string, content: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  for await (const entry of zip.eachEntry()) {
    const content = await zip.openReadStreamPromise(entry);
    let [sum, length] = [0, 0];
    await take(
      entry.fileName,
      (async function* () {
        for await (const chunk of content) {
          sum = crc32(chunk, sum);
          length += chunk.length;
          yield chunk;
        }
      })(),
    );
    if (sum !== entry.crc32 || length !== entry.uncompressedSize) {
      throw new Error(`${entry.fileName} has another checksum or length than the archive says`);
    }
  }
}
