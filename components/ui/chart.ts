/** The look of charts: props for parts of recharts. */
export const frame = {
  margin: { top: 8, right: 8, bottom: 0, left: 0 },
  accessibilityLayer: false,
} as const;

const axis = {
  tick: { fill: "var(--ink-faint)", fontSize: 12 },
  tickLine: false,
  axisLine: false,
} as const;
export const xAxis = { ...axis, minTickGap: 32, tickMargin: 8 } as const;
export const yAxis = { ...axis, allowDecimals: false, width: 40 } as const;
export const tip = { isAnimationActive: false, cursor: { stroke: "var(--line-strong)" } } as const;

const line = { type: "monotone", dot: false, isAnimationActive: false } as const;
const accent = { ...line, stroke: "var(--accent)", strokeWidth: 2 } as const;
export const area = { ...accent, fill: "var(--accent)", fillOpacity: 0.1 } as const;
/** For a bucket that is not over yet: its dot, its vertical line and its label. */
export const runningDot = {
  ...line,
  dot: { r: 4, fill: "var(--surface)", strokeWidth: 2 },
} as const;
export const runningMark = { stroke: "var(--line-strong)", strokeDasharray: "2 3" } as const;
export const runningLabel = { fill: "var(--ink-muted)", fontSize: 12 } as const;
const thin = { ...line, strokeWidth: 1.5 } as const;
export const compared = { ...thin, stroke: "var(--line-strong)" } as const;
export const dashed = { ...thin, stroke: "var(--ink-faint)", strokeDasharray: "4 3" } as const;
export const dotted = { ...thin, stroke: "var(--danger)", strokeDasharray: "1 3" } as const;
