/** ICO files, which are lists of images. */
const icoHead = Buffer.from([0, 0, 1, 0]);
const pngHead = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
const icoHeadBytes = 6;
const icoEntryBytes = 16;

/** The largest PNG in an ICO file. Undefined: it has none, or is not an ICO. */
export function pngIn(bytes: Buffer): Buffer | undefined {
  if (bytes.length < icoHeadBytes || !bytes.subarray(0, icoHead.length).equals(icoHead)) return;
  let largest: Buffer | undefined;
  for (let nth = 0; nth < bytes.readUInt16LE(4); nth++) {
    const entry = icoHeadBytes + nth * icoEntryBytes;
    if (entry + icoEntryBytes > bytes.length) break;
    const start = bytes.readUInt32LE(entry + 12);
    const picture = bytes.subarray(start, start + bytes.readUInt32LE(entry + 8));
    const isPng = picture.subarray(0, pngHead.length).equals(pngHead);
    if (isPng && picture.length > (largest?.length ?? 0)) largest = picture;
  }
  return largest;
}
