/** Which of black and white is read better on a colour: pages for visitors and their preview choose alike. */

/** Black or white: one of them has a contrast of at least 4.58 to any colour. */
export function inkOn(color: string): "#000" | "#fff" {
  // Above it black is read better: (L + 0.05) / 0.05 = 1.05 / (L + 0.05).
  return luminanceOf(color) > Math.sqrt(1.05 * 0.05) - 0.05 ? "#000" : "#fff";
}

/** Relative luminance of a color `#rrggbb`, as WCAG 2 defines it. */
export function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
