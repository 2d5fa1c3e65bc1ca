/** Parts of a drawn code, equal in SVG and PDF. All measures are in modules. */
import type { Box } from "#lib/links/qr-design/schema";

/** A color, or a gradient over a square at the offset of its shape. */
export type Paint = string | GradientPaint;

export interface GradientPaint {
  gradient: "linear" | "radial";
  from: string;
  to: string;
  side: number;
}

export interface Shape {
  path: string;
  paint: Paint;
  offset: number;
  /** Defaults to evenodd, which suits dots because they never overlap. Strokes of letters do. */
  rule?: "evenodd" | "nonzero";
}

export interface Drawing {
  width: number;
  height: number;
  shapes: readonly Shape[];
  logo?: Box & { png: Uint8Array };
}

export const radialShare = Math.SQRT1_2;

export function encodeDrawing(drawing: Drawing, pixels: number): string {
  const { width, height, shapes, logo } = drawing;
  const high = Math.round((pixels * height) / width);
  const parts = [...shapes.map(pathElement), logo ? imageElement(logo) : ""];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels}" height="${high}" viewBox="0 0 ${width} ${height}">${parts.join("")}</svg>`;
}

function pathElement({ path, paint, offset, rule = "evenodd" }: Shape): string {
  const place = offset === 0 ? "" : ` transform="translate(${offset} ${offset})"`;
  const plain = typeof paint === "string";
  const fill = plain ? paint : "url(#dots)";
  return `${plain ? "" : gradientElement(paint)}<path fill="${fill}" fill-rule="${rule}"${place} d="${path}"/>`;
}

function gradientElement({ gradient, from, to, side }: GradientPaint): string {
  const stops = `<stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/>`;
  const common = `id="dots" gradientUnits="userSpaceOnUse"`;
  if (gradient === "linear") {
    return `<linearGradient ${common} x1="0" y1="0" x2="${side}" y2="${side}">${stops}</linearGradient>`;
  }
  const middle = side / 2;
  return `<radialGradient ${common} cx="${middle}" cy="${middle}" r="${side * radialShare}">${stops}</radialGradient>`;
}

function imageElement({ x, y, width, height, png }: Box & { png: Uint8Array }): string {
  const data = Buffer.from(png).toString("base64");
  return `<image x="${x}" y="${y}" width="${width}" height="${height}" preserveAspectRatio="xMidYMid meet" href="data:image/png;base64,${data}"/>`;
}
