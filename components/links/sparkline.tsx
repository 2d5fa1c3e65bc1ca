import { useTranslations } from "next-intl";
import { classNames } from "#components/ui/class-names.ts";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import { linePaths } from "./spark-path.ts";

/** Two units a pixel of the largest row. */
const height = 56;

interface SparklineProps {
  /** Clicks per day, oldest first, the last of today so far; undefined: none in all these days. */
  daily: readonly number[] | undefined;
  className?: string;
}

/**
 * The days of a link as a line, drawn without a chart library: a list has a hundred of them. The browser draws it from
 * the data of the page; lines in the HTML would be the largest part of a row.
 */
export function Sparkline({ daily, className }: SparklineProps) {
  const t = useTranslations("links");
  const count = daily?.reduce((sum, clicks) => sum + clicks, 0) ?? 0;
  const isHydrated = useHydrated();
  const { line, today, lastX } = linePaths(daily ?? [], height);
  const width = lastX + 1;
  const stroke = {
    vectorEffect: "non-scaling-stroke",
    strokeWidth: 1.5,
    strokeLinejoin: "round",
  } as const;
  return (
    <svg
      role="img"
      aria-label={t("spark", { count })}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className={classNames("shrink-0 overflow-visible", className)}
    >
      {!isHydrated ? null : line === "" ? (
        <path {...stroke} d={`M0 ${height - 1}H${width}`} className="fill-none stroke-line" />
      ) : (
        <>
          <path d={`${line}V${height}H0Z`} className="fill-accent-soft" />
          <path {...stroke} d={line} className="fill-none stroke-accent" />
          <path {...stroke} d={today} strokeDasharray="2 2" className="fill-none stroke-accent" />
        </>
      )}
    </svg>
  );
}
