/** References and escaping in the texts of an SVG. */

/** The ids in `url(#id)`; undefined: there is a reference to something else, or one that cannot be read. */
export function findReferences(text: string): string[] | undefined {
  const ids: string[] = [];
  // Escapes of CSS could hide a reference.
  if (text.includes("\\")) return undefined;
  for (const [, inside = ""] of text.matchAll(/url\s*\(([^)]*)\)?/gi)) {
    const name = inside.trim().replace(/^(["'])(.*)\1$/, "$2");
    if (!name.startsWith("#")) return undefined;
    ids.push(name.slice(1));
  }
  if (/(?:image|image-set|src)\s*\(/i.test(text)) return undefined;
  return ids;
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Characters that XML cannot contain are removed. */
export function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
    .replace(/[&<>"]/g, (sign) => escapes[sign] ?? "");
}
