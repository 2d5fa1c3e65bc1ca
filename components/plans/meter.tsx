import { useFormatter, useTranslations } from "next-intl";
import { classNames } from "#components/ui/class-names.ts";

interface MeterProps {
  label: string;
  /** Null: not counted, because there is no limit. */
  used: number | null;
  limit: number | null;
  note?: string;
}

/** From these percentages a limit is near; owners are notified of the same. */
const nearPercents = [90, 70] as const;

/** The usage of a limit. */
export function Meter({ label, used, limit, note }: MeterProps) {
  const t = useTranslations("plans");
  const format = useFormatter();
  return (
    <div className="grid content-start gap-1.5">
      <div className="flex items-baseline justify-between gap-3 text-sm">
        <p className="font-medium">{label}</p>
        <p className="text-ink-muted tabular-nums">
          {limit === null
            ? used === null
              ? t("unlimited")
              : t("usedUnlimited", { used: format.number(used) })
            : t("usedOf", { used: format.number(used ?? 0), limit: format.number(limit) })}
        </p>
      </div>
      {limit === null ? null : <Bar label={label} used={used ?? 0} limit={limit} />}
      {note ? <p className="text-ink-muted text-xs">{note}</p> : null}
    </div>
  );
}

function Bar({ label, used, limit }: { label: string; used: number; limit: number }) {
  const t = useTranslations("plans");
  const share = Math.min(1, used / limit);
  const full = share >= 1;
  const near = nearPercents.find((percent) => used * 100 >= percent * limit);
  return (
    <>
      {/* Browsers render a meter element differently, so it is only read out. */}
      <meter aria-label={label} className="sr-only" min={0} max={limit} value={used} />
      <div aria-hidden className="h-1.5 overflow-hidden rounded-full bg-pressed">
        <div
          className={classNames("h-full rounded-full", full ? "bg-danger-fill" : "bg-accent")}
          style={{ width: `${share * 100}%` }}
        />
      </div>
      {near === undefined ? null : (
        <p className={classNames("text-xs", full ? "text-danger" : "text-ink-muted")}>
          {full ? t("full") : t("near", { percent: near })}
        </p>
      )}
    </>
  );
}
