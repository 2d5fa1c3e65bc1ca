/** The line of a small chart. */

/** Keeps the stroke within the image. */
const margin = 1;

interface LinePaths {
  /** The days that are over; empty when there is nothing to draw. */
  line: string;
  /** From the day before to today, which is not over yet. */
  today: string;
  /** Where the line ends. */
  lastX: number;
}

/** The paths of numbers from left to right, the largest at the top. */
export function linePaths(values: readonly number[], width: number, height: number): LinePaths {
  const most = Math.max(0, ...values);
  if (most === 0 || values.length < 2) return { line: "", today: "", lastX: 0 };
  const step = width / Math.max(1, values.length - 1);
  const inner = height - 2 * margin;
  const points = values.map((value, at) => {
    const y = margin + inner * (1 - value / most);
    return `${round(at * step)} ${round(y)}`;
  });
  return {
    line: `M${points.slice(0, -1).join(" L")}`,
    today: `M${points.slice(-2).join(" L")}`,
    lastX: round((values.length - 2) * step),
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
