/** For tests: a ZIP archive, read by its directory and each file checked against its sum. */
import { crc32, inflateRawSync } from "node:zlib";
import { expect } from "vitest";

export interface ArchivedFile {
  name: string;
  bytes: Buffer;
}

export function readArchive(archive: Buffer): ArchivedFile[] {
  const end = archive.length - 22;
  expect(archive.readUInt32LE(end)).toBe(0x0605_4b50);
  const files: ArchivedFile[] = [];
  let at = archive.readUInt32LE(end + 16);
  for (let count = archive.readUInt16LE(end + 10); count > 0; count--) {
    const [sum, deflated] = [archive.readUInt32LE(at + 16), archive.readUInt32LE(at + 20)];
    const [nameBytes, offset] = [archive.readUInt16LE(at + 28), archive.readUInt32LE(at + 42)];
    const begin = offset + 30 + archive.readUInt16LE(offset + 26);
    const bytes = inflateRawSync(archive.subarray(begin, begin + deflated));
    expect(crc32(bytes)).toBe(sum);
    expect(bytes.length).toBe(archive.readUInt32LE(at + 24));
    files.push({ name: archive.toString("utf8", at + 46, at + 46 + nameBytes), bytes });
    at += 46 + nameBytes;
  }
  expect(at).toBe(end);
  return files;
}
