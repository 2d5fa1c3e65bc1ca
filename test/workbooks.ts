/** Excel workbooks, valid or not, for tests. */
import { crc32, deflateRawSync } from "node:zlib";

/** A ZIP archive. `declared`: a size in its directory that is not true. */
export function zipOf(
  files: Record<string, string>,
  declared: Record<string, number> = {},
): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, text] of Object.entries(files)) {
    const bytes = Buffer.from(text);
    const packed = deflateRawSync(bytes);
    const size = declared[name] ?? bytes.length;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(size, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), common, Buffer.from(name), packed]);
    const central = Buffer.alloc(14);
    central.writeUInt32LE(at, 10);
    directory.push(
      Buffer.concat([Buffer.from("PK\u0001\u0002\u0014\0"), common, central, Buffer.from(name)]),
    );
    parts.push(local);
    at += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006");
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, listed, end]);
}

export const bookOf = (sheets = `<sheet name="Links" sheetId="1" r:id="rId1"/>`, properties = "") =>
  `<workbook>${properties}<sheets>${sheets}</sheets></workbook>`;
const links =
  '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="/xl/worksheets/sheet2.xml"/></Relationships>';
export const sheetOf = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;

export function workbookOf(
  rows: string,
  more: Record<string, string> = {},
): Record<string, string> {
  return {
    "xl/workbook.xml": bookOf(),
    "xl/_rels/workbook.xml.rels": links,
    "xl/worksheets/sheet1.xml": sheetOf(rows),
    ...more,
  };
}
