/** The chart of a report as a PNG, for mail programs that show neither SVG nor fonts. Texts are paths. */
import { TextSetter } from "#lib/outreach/qr";
import type { Locale } from "#lib/platform/messages/schema";
import type { ReportFigures } from "./figures.ts";

/** Drawn at twice the size, so that it is sharp on most screens. */
const scale = 2;
export const chartWidth = 536;
export const chartHeight = 200;
const left = 50;
const right = 8;
const top = 14;
const bottom = 28;
const fontSize = 14;
const barShare = 0.7;
const barMax = 44;
const radiusMax = 4;
/** Halves of them are labeled too. */
const steps = [1, 1.2, 1.6, 2, 4, 6, 8, 10];
const labelEmsMax = 14;

export interface ChartColors {
  text: string;
  line: string;
  bar: string;
}

const setter = new TextSetter();

interface Label {
  text: string;
  x: number;
  y: number;
  anchor: "start" | "middle" | "end";
}

export async function drawChart(
  series: ReportFigures["series"],
  { text, line, bar }: ChartColors,
  { locale, zone }: { locale: Locale; zone: string },
): Promise<Buffer> {
  const max = ceilingOf(Math.max(0, ...series.map(({ clicks }) => clicks)));
  const room = { width: chartWidth - left - right, height: chartHeight - top - bottom };
  const yOf = (clicks: number) => top + room.height * (1 - clicks / max);
  const numbers = new Intl.NumberFormat(locale, { notation: "compact" });
  const ticks = [0, max / 2, max];
  const slot = room.width / Math.max(1, series.length);
  const labels: Label[] = [
    ...ticks.map(
      (tick): Label => ({
        text: numbers.format(tick),
        x: left - 8,
        y: yOf(tick) + fontSize / 3,
        anchor: "end",
      }),
    ),
    ...timeLabels(series, slot, { locale, zone }),
  ];
  const paths = await Promise.all(labels.map((label) => pathOf(label)));
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${chartWidth * scale}" height="${chartHeight * scale}" viewBox="0 0 ${chartWidth} ${chartHeight}">`,
    ...ticks.map(
      (tick) => `<path stroke="${line}" d="M${left} ${yOf(tick)}H${chartWidth - right}"/>`,
    ),
    `<path fill="${bar}" d="${series.map(({ clicks }, at) => barPath(left + slot * at, slot, yOf(clicks), yOf(0))).join("")}"/>`,
    `<path fill="${text}" fill-rule="nonzero" d="${paths.join("")}"/>`,
    "</svg>",
  ].join("");
  const { default: sharp } = await import("sharp");
  return await sharp(Buffer.from(svg)).png({ compressionLevel: 9, palette: true }).toBuffer();
}

/** The smallest round number that is not less. */
function ceilingOf(max: number): number {
  if (max <= 2) return 2;
  const power = 10 ** Math.floor(Math.log10(max));
  const step = steps.find((one) => one * power >= max) ?? 10;
  return Math.round(step * power);
}

function barPath(x: number, slot: number, y: number, base: number): string {
  const width = Math.min(barMax, slot * barShare);
  const height = base - y;
  if (height <= 0) return "";
  const radius = Math.min(radiusMax, width / 2, height);
  const from = x + (slot - width) / 2;
  return `M${from} ${base}V${y + radius}q0-${radius} ${radius}-${radius}h${width - 2 * radius}q${radius} 0 ${radius} ${radius}V${base}z`;
}

/** Hours of one day, or days: as many labels as fit. */
function timeLabels(
  series: ReportFigures["series"],
  slot: number,
  { locale, zone }: { locale: Locale; zone: string },
): Label[] {
  const isDay = series.length <= 25 && spanMs(series) < 2 * 86_400_000;
  const format = new Intl.DateTimeFormat(
    locale,
    isDay
      ? { hour: "numeric", hourCycle: "h23", minute: "2-digit", timeZone: zone }
      : { month: "short", day: "numeric", timeZone: zone },
  );
  const every = isDay ? 6 : Math.ceil(series.length / 7);
  return series.flatMap(({ start }, at): Label[] => {
    if (at % every !== 0) return [];
    const text = format.format(new Date(start));
    return [{ text, x: left + slot * (at + 0.5), y: chartHeight - 8, anchor: "middle" }];
  });
}

function spanMs(series: ReportFigures["series"]): number {
  const first = Date.parse(series[0]?.start ?? "");
  return Date.parse(series.at(-1)?.start ?? "") - first;
}

async function pathOf({ text, x, y, anchor }: Label): Promise<string> {
  const [line] = await setter.linesOf(text, { emsMax: labelEmsMax, linesMax: 1 });
  if (!line) return "";
  const width = line.ems * fontSize;
  const shift = { start: 0, middle: width / 2, end: width }[anchor];
  const from = Math.min(chartWidth - width, Math.max(0, x - shift));
  return line.pathAt(from, y, fontSize);
}
