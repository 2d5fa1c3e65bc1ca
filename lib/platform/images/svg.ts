/**
 * Uploaded SVG files. An SVG is a document: it is parsed, checked, written anew from what was checked, and drawn to
 * pixels. Only the pixels are kept; no SVG of a user is ever stored, served or part of another drawing.
 *
 * The drawing library fetches nothing for a document without a base URL, and runs no scripts. The checks refuse what
 * would make it draw something else than the author saw, or take long: references to other files, entities, and parts
 * that refer to each other so that a few lines draw billions of shapes.
 */
import { Parser } from "htmlparser2";
import { AppError } from "#lib/platform/errors";
import { escapeXml, findReferences } from "./svg-text.ts";

/** A longer path could take longer to draw than any other. */
export const svgBytesMax = 128 * 1024;
/** Shapes that are drawn, each use of a referenced one counted. */
export const svgElementsMax = 1_000;
/** Units per side; the drawing is scaled to the size of a logo. */
export const svgSideMax = 10_000;
const depthMax = 50;
/** Pixels per inch at which one unit is one pixel. */
const unitDensity = 72;
const densityMax = 100_000;

/** Their contents come from elsewhere, or drawing them takes time without a limit. */
const refusedElements = new Set([
  "feimage",
  "filter",
  "foreignobject",
  "image",
  "marker",
  "pattern",
  "text",
  "tref",
]);
/** They draw nothing in a picture that stands still. */
const droppedElements = /^(script|animate\w*|set|metadata|title|desc)$/;

interface SvgNode {
  name: string;
  /** References to ids in its attributes. */
  references: string[];
  children: SvgNode[];
  /** Its styles: parts of a text are reported one by one. */
  css: string;
}

/** Draws an SVG to a PNG that fits into a square. Throws a 422 with the reason. */
export async function drawSvgFile(bytes: Buffer, sidePixels: number): Promise<Buffer> {
  if (bytes.length > svgBytesMax) {
    throw unusable(`It can have up to ${svgBytesMax / 1024} KB. Simplify its paths.`);
  }
  const svg = Buffer.from(rewriteSvg(textOf(bytes)));
  const { default: sharp } = await import("sharp");
  const { width, height } = await sharp(svg, { limitInputPixels: false }).metadata();
  if (!(width > 0 && height > 0)) throw unusable("Set its width and height, or its viewBox.");
  const side = Math.max(width, height);
  if (side > svgSideMax) {
    throw unusable(
      `It can have up to ${svgSideMax} × ${svgSideMax} units, but has ${width} × ${height}. Scale it down.`,
    );
  }
  const density = Math.min(densityMax, (unitDensity * sidePixels) / side);
  return await sharp(svg, { density: Math.max(1, density) })
    .resize(sidePixels, sidePixels, { fit: "inside" })
    .png()
    .toBuffer();
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw unusable("Save it as UTF-8.");
  }
}

/** The document written from its checked parts. What the parser did not report, the drawing library never reads. */
export function rewriteSvg(text: string): string {
  const parts: string[] = [];
  const root = nodeOf("");
  const open: SvgNode[] = [root];
  const byId = new Map<string, SvgNode>();
  let dropped = 0;
  let elements = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        elements += 1;
        if (elements > svgElementsMax) throw tooManyElements();
        if (open.length > depthMax)
          throw unusable(`Its elements are nested deeper than ${depthMax}.`);
        const node = nodeOf(name);
        open.at(-1)?.children.push(node);
        open.push(node);
        if (refusedElements.has(node.name)) {
          throw unusable(
            `It has <${name}>, which logos can’t have. Remove images, filters, patterns and markers, and convert text to paths.`,
          );
        }
        if (dropped > 0 || droppedElements.test(node.name)) dropped += 1;
        else parts.push(openTag(name, attributes, node, byId));
      },
      onclosetag(name) {
        const node = open.pop();
        // defence: svg-styles
        if (node?.name === "style") checkStyles(node.css);
        if (dropped > 0) dropped -= 1;
        else parts.push(`</${name}>`);
      },
      ontext(data) {
        if (dropped > 0) return;
        const node = open.at(-1);
        if (node?.name === "style") node.css += data;
        parts.push(escapeXml(data));
      },
      onprocessinginstruction(name) {
        // defence: svg-doctype
        if (name.startsWith("!")) throw unusable("Remove its DOCTYPE and entities.");
        if (name.toLowerCase() !== "?xml")
          throw unusable(`Remove <${name}>: styles are never loaded.`);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  if (root.children.length !== 1 || root.children[0]?.name !== "svg") {
    throw unusable("Use a file with one <svg> element.");
  }
  new DrawnElements(byId).count(root);
  return parts.join("");
}

function nodeOf(name: string): SvgNode {
  return { name: localName(name), references: [], children: [], css: "" };
}

/** Other names would be read differently by the drawing library. */
const namePattern = /^[a-z_][\w.:-]*$/i;

function openTag(
  name: string,
  attributes: Readonly<Record<string, string>>,
  node: SvgNode,
  byId: Map<string, SvgNode>,
): string {
  if (!namePattern.test(name)) throw unusable("Its elements have invalid names.");
  let tag = `<${name}`;
  for (const [attribute, value] of Object.entries(attributes)) {
    const local = localName(attribute);
    if (local.startsWith("on") || attribute === "xml:base") continue;
    node.references.push(...referencesIn(attribute, value));
    if (local === "id") {
      if (byId.has(value)) throw unusable(`Its id "${value}" is used twice. Rename one of them.`);
      byId.set(value, node);
    }
    tag += ` ${attribute}="${escapeXml(value)}"`;
  }
  return `${tag}>`;
}

function referencesIn(attribute: string, value: string): string[] {
  if (!namePattern.test(attribute)) throw unusable("Its attributes have invalid names.");
  const found = localName(attribute) === "href" ? hrefReference(value) : findReferences(value);
  if (found) return found;
  throw unusable(
    `Its attribute ${attribute} refers to another file. Only parts of the file itself can be used.`,
  );
}

function hrefReference(value: string): string[] | undefined {
  const text = value.trim();
  // defence: svg-own-references
  return text.startsWith("#") ? [text.slice(1)] : undefined;
}

/** Which elements a rule applies to is not known here, so references to drawn parts must be attributes. */
function checkStyles(styles: string): void {
  const css = styles.replace(/\/\*[\s\S]*?\*\//g, " ");
  if (/@import|@font-face/i.test(css))
    throw unusable("Remove @import and @font-face from its styles.");
  const found = findReferences(css);
  if (found === undefined)
    throw unusable("Its styles refer to another file. Remove that reference.");
  if (/(?:mask|clip-path|filter|marker[\w-]*)\s*:/i.test(css)) {
    throw unusable("Its styles have masks or clip paths. Export it with presentation attributes.");
  }
}

/** Counts shapes as they are drawn: a referenced element once for each reference. */
class DrawnElements {
  readonly #byId: ReadonlyMap<string, SvgNode>;
  readonly #known = new Map<SvgNode, number>();
  readonly #active = new Set<SvgNode>();

  constructor(byId: ReadonlyMap<string, SvgNode>) {
    this.#byId = byId;
  }

  count(node: SvgNode): number {
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    if (this.#active.has(node)) throw unusable("Its parts refer to each other in a circle.");
    this.#active.add(node);
    let sum = 1;
    for (const child of node.children) sum += this.count(child);
    for (const id of node.references) {
      const referenced = this.#byId.get(id);
      // defence: svg-shared-parts-count
      if (referenced) sum += this.count(referenced);
    }
    this.#active.delete(node);
    if (sum > svgElementsMax + 1) throw tooManyElements();
    this.#known.set(node, sum);
    return sum;
  }
}

function localName(name: string): string {
  return name.slice(name.lastIndexOf(":") + 1).toLowerCase();
}

function tooManyElements(): AppError {
  return unusable(
    `It draws more than ${svgElementsMax} elements, each use of a shared one counted. Simplify it.`,
  );
}

function unusable(reason: string): AppError {
  return new AppError("unprocessable_entity", `This SVG can’t be used. ${reason}`);
}
