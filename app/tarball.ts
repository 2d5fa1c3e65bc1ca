/**
 * An npm package. All of it is constant, so all processes of a version serve the same bytes.
 *
 *     package/chunk.mjs │ package/fuxi.mjs │ package/package.json │ … │ end: two blocks of zeros
 *     header │ bytes, padded to a block
 */
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const gzipAsync = promisify(gzip);
const blockBytes = 512;

export interface PackedFile {
  name: string;
  bytes: Buffer;
  executable?: boolean;
}

export async function packTarball(files: readonly PackedFile[]): Promise<Buffer> {
  const entries = files.flatMap(({ name, bytes, executable }) =>
    entryOf(`package/${name}`, bytes, executable ? 0o755 : 0o644),
  );
  const tar = Buffer.concat([...entries, Buffer.alloc(2 * blockBytes)]);
  return await gzipAsync(tar, { level: 9 });
}

/** The time that npm sets for all files in its packages, because some programs refuse zero. */
const modifiedAt = Date.UTC(1985, 9, 26, 8, 15) / 1000;

/** The header of POSIX ustar, and the bytes of the file. */
function entryOf(name: string, bytes: Buffer, mode: number): Buffer[] {
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, at: number, digits: number) =>
    header.write(value.toString(8).padStart(digits, "0"), at, "latin1");
  header.write(name, 0, "latin1");
  octal(mode, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(bytes.length, 124, 11);
  octal(modifiedAt, 136, 11);
  header.write("0", 156, "latin1");
  header.write("ustar\u000000", 257, "latin1");
  // The checksum counts its own field as blanks.
  header.fill(" ", 148, 156);
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    6,
  );
  header[154] = 0;
  const padding = Buffer.alloc((blockBytes - (bytes.length % blockBytes)) % blockBytes);
  return [header, bytes, padding];
}
