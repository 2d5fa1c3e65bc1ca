/** Black or white: one of them has a contrast of at least 4.58 to any color. */
export function inkOn(color: string): "#000" | "#fff" {
  // Above it black has more contrast: (L + 0.05) / 0.05 = 1.05 / (L + 0.05).
  return luminanceOf(color) > Math.sqrt(1.05 * 0.05) - 0.05 ? "#000" : "#fff";
}

/** The contrast of two colors, from 1 (none) to 21, as WCAG 2 defines it. */
export function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Of a color `#rrggbb`, from 0 to 1. */
export function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((byte) => {
    const share = byte / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Red, green and blue of a color `#rrggbb`, each from 0 to 255. */
export function channelsOf(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}
