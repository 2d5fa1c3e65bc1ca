import { useTranslations } from "next-intl";
import { classNames } from "../ui/class-names.ts";
import { linePath } from "./spark-path.ts";

const width = 96;
const height = 28;

interface SparklineProps {
  /** Clicks per day, oldest first; undefined: none in all these days. */
  daily: readonly number[] | undefined;
  className?: string;
}

/** The days of a link as a line, drawn without a chart library: a list has a hundred of them. */
export function Sparkline({ daily, className }: SparklineProps) {
  const t = useTranslations("links");
  const count = daily?.reduce((sum, clicks) => sum + clicks, 0) ?? 0;
  const line = linePath(daily ?? [], width, height);
  return (
    <svg
      role="img"
      aria-label={t("spark", { count })}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className={classNames("shrink-0 overflow-visible", className)}
    >
      {line === "" ? null : (
        <path d={`${line} L${width} ${height} L0 ${height} Z`} className="fill-accent-soft" />
      )}
      <path
        d={line === "" ? `M0 ${height - 1} H${width}` : line}
        vectorEffect="non-scaling-stroke"
        className={classNames("fill-none", line === "" ? "stroke-line" : "stroke-accent")}
        strokeWidth={1.5}
        strokeLinejoin="round"
      />
    </svg>
  );
}
