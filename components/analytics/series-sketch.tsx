import { useFormatter } from "next-intl";
import { classNames } from "#components/ui/class-names.ts";
import { divideBuckets } from "./buckets.ts";
import type { SeriesPoint } from "./read-answer.ts";
import { ticksTo } from "./ticks.ts";

const lineStyle = { vectorEffect: "non-scaling-stroke", fill: "none" } as const;
const datesMax = 4;

interface SeriesSketchProps {
  points: readonly SeriesPoint[];
  labelOf: (start: string) => string;
}

/** The lines of the chart at its final size, drawn without a chart library. */
export function SeriesSketch({ points, labelOf }: SeriesSketchProps) {
  const format = useFormatter();
  const most = Math.max(
    ...points.flatMap(({ clicks, visitors, before }) => [clicks, visitors, before?.clicks ?? 0]),
  );
  const ticks = ticksTo(most);
  const top = ticks.at(-1) ?? 1;
  const partOf = (at: number) => (points.length === 1 ? 0.5 : at / (points.length - 1)) * 100;
  const place = (at: number, count: number) =>
    `${round(partOf(at))} ${round(100 - (count / top) * 100)}`;
  const { finished, running } = divideBuckets(points);
  const path = (of: (point: SeriesPoint) => number) =>
    finished.length === 0 ? "" : `M${finished.map((point, at) => place(at, of(point))).join("L")}`;
  const clicks = path((point) => point.clicks);
  return (
    <div aria-hidden className="relative h-64 text-ink-faint text-xs tabular-nums">
      <div className="absolute top-2 right-2 bottom-[30px] left-10">
        {ticks.map((tick) => (
          <span
            key={tick}
            className="absolute -left-2 -translate-x-full translate-y-1/2 leading-none"
            style={{ bottom: `${(tick / top) * 100}%` }}
          >
            {format.number(tick, { notation: "compact" })}
          </span>
        ))}
        <svg
          aria-hidden="true"
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          className="size-full overflow-visible"
        >
          {ticks.map((tick) => (
            <path
              key={tick}
              {...lineStyle}
              d={`M0 ${round(100 - (tick / top) * 100)}H100`}
              className="stroke-line"
            />
          ))}
          {points.some(({ before }) => before) ? (
            <path
              {...lineStyle}
              d={path((point) => point.before?.clicks ?? 0)}
              className="stroke-line-strong"
              strokeWidth={1.5}
            />
          ) : null}
          <path d={clicks && `${clicks}V100H0Z`} className="fill-accent" fillOpacity={0.1} />
          <path {...lineStyle} d={clicks} className="stroke-accent" strokeWidth={2} />
          <path
            {...lineStyle}
            d={path((point) => point.visitors)}
            className="stroke-ink-faint"
            strokeWidth={1.5}
            strokeDasharray="4 3"
          />
        </svg>
        {running ? (
          <span
            className="absolute size-2.5 -translate-x-1/2 translate-y-1/2 rounded-full border-2 border-accent bg-surface"
            style={{
              left: `${partOf(finished.length)}%`,
              bottom: `${(running.clicks / top) * 100}%`,
            }}
          />
        ) : null}
        <Dates points={points} labelOf={labelOf} partOf={partOf} />
      </div>
    </div>
  );
}

interface DatesProps extends SeriesSketchProps {
  partOf: (at: number) => number;
}

function Dates({ points, labelOf, partOf }: DatesProps) {
  const everyDate = Math.max(1, Math.ceil(points.length / datesMax));
  return points.map(({ start }, at) =>
    at % everyDate === 0 ? (
      <span
        key={start}
        className={classNames(
          "absolute top-full mt-2 whitespace-nowrap",
          at > 0 && at === points.length - 1 && "-translate-x-full",
        )}
        style={{ left: `${partOf(at)}%` }}
      >
        {labelOf(start)}
      </span>
    ) : null,
  );
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
