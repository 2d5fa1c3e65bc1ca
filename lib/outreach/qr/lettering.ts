/** Captions as paths, so that a drawing looks the same wherever it is shown or printed. */
import { AppError } from "#lib/platform/errors";
import { type Face, findFace } from "./fonts.ts";

interface Lettering {
  ems: number;
  /** The path from x on. Fill it with the rule nonzero, because strokes overlap. */
  pathAt: (x: number, baseline: number, size: number) => string;
}

interface Run {
  text: string;
  face: Face;
}

const decimals = 3;

/** Throws a 422 that names the characters that no font has. */
export async function letter(text: string): Promise<Lettering> {
  const { runs, missing } = await runsOf(text);
  if (missing.length > 0) {
    const signs = missing.join(" ");
    throw new AppError(
      "unprocessable_entity",
      `caption: No font has these characters: ${signs}. Use Latin, Cyrillic, Chinese or Japanese characters.`,
      { problem: "caption_undrawable", params: { signs } },
    );
  }
  const widths = runs.map(({ text: part, face }) =>
    face.font.getAdvanceWidth(part, 1, face.options),
  );
  const pathAt: Lettering["pathAt"] = (x, baseline, size) => {
    let at = x;
    return runs
      .map(({ text: part, face }, index) => {
        const path = face.font.getPath(part, at, baseline, size, face.options);
        at += (widths[index] ?? 0) * size;
        path.commands.forEach(roundPoints);
        return path.toPathData(decimals);
      })
      .join("");
  };
  return { ems: widths.reduce((sum, width) => sum + width, 0), pathAt };
}

/** opentype.js writes NaN for a coordinate just above a whole number. */
function roundPoints(command: object): void {
  const values: Record<string, unknown> = command as Record<string, unknown>;
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === "number") values[name] = Math.round(value * 1_000) / 1_000;
  }
}

export async function drawableText(text: string): Promise<string> {
  const { runs } = await runsOf(text);
  return runs
    .map((run) => run.text)
    .join("")
    .trim();
}

async function runsOf(text: string): Promise<{ runs: Run[]; missing: string[] }> {
  const runs: Run[] = [];
  const missing = new Set<string>();
  // Skip characters that have no shape, such as joiners and variation selectors.
  for (const sign of text.replace(/\p{Default_Ignorable_Code_Point}/gu, "")) {
    const face = await findFace(sign);
    const last = runs.at(-1);
    if (!face) missing.add(sign);
    else if (last?.face === face) last.text += sign;
    else runs.push({ text: sign, face });
  }
  return { runs, missing: [...missing] };
}

const ellipsis = "…";
/** A label has no room for more, and each character is measured. */
const measuredCharsMax = 300;
/** A line ends after a space if that fills at least this share of it. */
const brokenShareMin = 0.5;
const widthsKeptMax = 20_000;

interface LineLimits {
  emsMax: number;
  linesMax: number;
}

export class TextSetter {
  readonly #widths = new Map<string, number>();

  async linesOf(text: string, { emsMax, linesMax }: LineLimits): Promise<Lettering[]> {
    const drawable = (await drawableText(text.slice(0, measuredCharsMax))).normalize();
    const signs = [...drawable.replace(/\s+/g, " ")];
    const rows: string[] = [];
    let at = 0;
    while (at < signs.length && rows.length < linesMax) {
      const rest = signs.slice(at);
      const fitting = await this.#countFitting(rest, emsMax);
      const isLast = rows.length + 1 === linesMax;
      if (fitting < rest.length && isLast) {
        const room = emsMax - (await this.#widthOf(ellipsis));
        rows.push(`${rest.slice(0, await this.#countFitting(rest, room)).join("")}${ellipsis}`);
        break;
      }
      const taken = fitting < rest.length ? breakBefore(rest, fitting) : fitting;
      rows.push(rest.slice(0, taken).join("").trim());
      at += taken;
    }
    return await Promise.all(rows.map(letter));
  }

  async #countFitting(signs: readonly string[], emsMax: number): Promise<number> {
    let width = 0;
    for (const [at, sign] of signs.entries()) {
      width += await this.#widthOf(sign);
      if (width > emsMax) return Math.max(1, at);
    }
    return signs.length;
  }

  async #widthOf(sign: string): Promise<number> {
    const known = this.#widths.get(sign);
    if (known !== undefined) return known;
    if (this.#widths.size >= widthsKeptMax) this.#widths.clear();
    const { ems } = await letter(sign);
    this.#widths.set(sign, ems);
    return ems;
  }
}

/** Where a full line ends: after its last space, unless that leaves the line too short. */
function breakBefore(signs: readonly string[], fitting: number): number {
  const space = signs.lastIndexOf(" ", fitting);
  return space + 1 > fitting * brokenShareMin ? space + 1 : fitting;
}
