/** Captions as paths: a drawing contains no text, so that it looks the same wherever it is shown or printed. */
import { AppError } from "#lib/platform/errors";
import { type Face, findFace } from "./fonts.ts";

export interface Lettering {
  /** Width in font sizes. */
  ems: number;
  /** The path from x on, in a font size; to be filled with the rule nonzero, because strokes overlap. */
  pathAt: (x: number, baseline: number, size: number) => string;
}

interface Run {
  text: string;
  face: Face;
}

const decimals = 3;

/** Throws a 422 that names the characters no font has. */
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

/** Sound because every object can be read by any name. opentype.js writes NaN for a coordinate that exceeds a whole number by less than a millionth. */
function roundPoints(command: object): void {
  const values: Record<string, unknown> = command as Record<string, unknown>;
  for (const [name, value] of Object.entries(values)) {
    if (typeof value === "number") values[name] = Math.round(value * 1_000) / 1_000;
  }
}

/** A text without the characters that no font has. */
export async function drawableText(text: string): Promise<string> {
  const { runs } = await runsOf(text);
  return runs
    .map((run) => run.text)
    .join("")
    .trim();
}

/** Parts of a text in one font, and the characters that no font has. */
async function runsOf(text: string): Promise<{ runs: Run[]; missing: string[] }> {
  const runs: Run[] = [];
  const missing = new Set<string>();
  // Characters without a shape, such as joiners and variation selectors.
  for (const sign of text.replace(/\p{Default_Ignorable_Code_Point}/gu, "")) {
    const face = await findFace(sign);
    const last = runs.at(-1);
    if (!face) missing.add(sign);
    else if (last?.face === face) last.text += sign;
    else runs.push({ text: sign, face });
  }
  return { runs, missing: [...missing] };
}
