/** Documents that cost their parsers most. */
import { crc32, deflateSync } from "node:zlib";
import { workbookOf, zipOf } from "./workbooks.ts";

const megabyte = 1_048_576;

const times = (bytes: number, unit: string) => unit.repeat(Math.floor(bytes / unit.length));

export function worstTables(bytesMax: number): { name: string; body: Buffer }[] {
  const workbook = (rows: string, more: Record<string, string> = {}) =>
    zipOf(workbookOf(rows, more));
  const text = (name: string, content: string) => ({ name, body: Buffer.from(content) });
  return [
    { name: "XML: 200,000 open elements", body: workbook("<a>".repeat(200_000)) },
    { name: "XML: 2,000,000 open elements", body: workbook("<a>".repeat(2_000_000)) },
    { name: "XML: cells of one row", body: workbook(`<row>${"<c/>".repeat(1_000_000)}</row>`) },
    { name: "XML: rows", body: workbook("<row/>".repeat(1_000_000)) },
    { name: "XML: entities", body: workbook(`<row><c><v>${"&amp;".repeat(500_000)}`) },
    { name: "XML: a long tag", body: workbook(`<row ${times(megabyte, 'a="b" ')}>`) },
    { name: "XML: a long name", body: workbook(`<${times(megabyte, "a")}>`) },
    {
      name: "XML: shared texts",
      body: workbook("", { "xl/sharedStrings.xml": `<sst>${"<si><t>a</t></si>".repeat(500_000)}` }),
    },
    { name: "XML: ratio", body: workbook(`<row><c><v>${"0".repeat(100 * megabyte)}`) },
    {
      name: "XML: a row far below",
      body: workbook('<row r="1048576"><c t="str"><v>a</v></c></row>'),
    },
    { name: "ZIP: cut off", body: workbook("").subarray(0, -30) },
    {
      name: "ZIP: entries",
      body: zipOf(Object.fromEntries(Array.from({ length: 12_000 }, (_, at) => [`a${at}`, ""]))),
    },
    text("CSV: quotes without a delimiter", times(bytesMax, '"a"\n')),
    text("CSV: an open quote", `"${times(bytesMax, "a\n")}`),
    text("CSV: doubled quotes", times(bytesMax, '""""""""\n')),
    text("CSV: one line", times(bytesMax, "a,")),
    text("CSV: empty lines", times(bytesMax, "\n")),
    text("CSV: rows", times(bytesMax, "a\n")),
    { name: "CSV: bytes of no encoding", body: Buffer.alloc(bytesMax, 0xe4) },
    text("JSON: depth", times(bytesMax, "[")),
    text("JSON: records", `[${times(bytesMax, '{"a":1},')}{}]`),
    text("JSON: one record", `[{"a":"${times(bytesMax, "\\u00e4")}"}]`),
    text("JSON: columns", `[${Array.from({ length: 100_000 }, (_, at) => `{"a${at}":1}`).join()}]`),
    text("SQL: rows", `INSERT INTO \`yourls_url\` VALUES ${times(bytesMax, "('a','b'),")}`),
    text("SQL: an open text", `INSERT INTO \`yourls_url\` VALUES ('${times(bytesMax, "\\'")}`),
  ];
}

/** A PNG that claims this size, of one color. */
function pngOf(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([1, 0, 0, 0, 0], 8);
  const rows = Buffer.alloc((Math.ceil(width / 8) + 1) * height);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

export function worstImages(): { name: string; bytes: Buffer }[] {
  const svg = (inside: string) =>
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${inside}</svg>`);
  const path = `M0 0${times(120_000, "l9 9")}`;
  return [
    { name: "PNG: as many pixels as permitted", bytes: pngOf(4_096, 4_096) },
    { name: "PNG: more pixels", bytes: pngOf(20_000, 20_000) },
    { name: "PNG: cut off", bytes: pngOf(4_096, 4_096).subarray(0, -500) },
    { name: "SVG: open elements", bytes: svg("<g>".repeat(40_000)) },
    { name: "SVG: elements", bytes: svg('<path d="M0 0"/>'.repeat(999)) },
    { name: "SVG: a path", bytes: svg(`<path stroke="red" d="${path}"/>`) },
    { name: "SVG: attributes", bytes: svg(`<g ${times(120_000, "a='' ")}/>`) },
    { name: "SVG: entities", bytes: svg(`<g>${times(120_000, "&#9;")}</g>`) },
    {
      name: "SVG: uses",
      bytes: svg(
        `<g id="a0"/>${Array.from({ length: 300 }, (_, at) => `<g id="a${at + 1}"><use href="#a${at}"/><use href="#a${at}"/></g>`).join("")}`,
      ),
    },
  ];
}

/** Pages of half a megabyte, the limit. */
export function worstPages(): { name: string; body: string }[] {
  const bytes = 522_000;
  return [
    { name: "open elements", body: times(bytes, "<b>") },
    { name: "open elements in the body", body: `<body>${times(bytes, "<b>")}` },
    { name: "SVG", body: times(bytes, "<svg>") },
    { name: "attributes", body: `<meta ${times(bytes, "a=1 ")}>` },
    { name: "a tag that never ends", body: `<meta ${times(bytes, 'a="')}` },
    { name: "entities", body: `<title>${times(bytes, "&amp;")}` },
    { name: "ends of heads in a script", body: `<script>${times(bytes, "</head>")}` },
    { name: "icons", body: times(bytes, '<link rel="icon" href="a">') },
  ];
}
