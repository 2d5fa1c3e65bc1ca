/** The line of a small chart. */

/** Keeps the stroke within the image. */
const margin = 1;

/** The path of numbers from left to right, the largest at the top; empty when there is nothing to draw. */
export function linePath(values: readonly number[], width: number, height: number): string {
  const most = Math.max(0, ...values);
  if (most === 0) return "";
  const step = width / Math.max(1, values.length - 1);
  const inner = height - 2 * margin;
  return values
    .map((value, at) => {
      const y = margin + inner * (1 - value / most);
      return `${at === 0 ? "M" : "L"}${round(at * step)} ${round(y)}`;
    })
    .join(" ");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
