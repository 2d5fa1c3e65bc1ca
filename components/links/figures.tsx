import { useFormatter, useTranslations } from "next-intl";
import type { Totals } from "#lib/analytics/schema";

const names = ["clicks", "visitors", "scans", "bots"] as const;

/** The four numbers of a link. Each says under its name what it counts. */
export function Figures({ totals }: { totals: Totals }) {
  const t = useTranslations("analytics");
  const page = useTranslations("linkPage");
  const format = useFormatter();
  return (
    <section aria-labelledby="figures-heading">
      <h2 id="figures-heading" className="mb-2 font-medium text-ink-muted text-sm">
        {page("figures")}
      </h2>
      <dl className="grid grid-cols-2 overflow-hidden rounded-xl border border-line bg-line gap-px lg:grid-cols-4">
        {names.map((name) => (
          <div key={name} className="grid content-start gap-1 bg-surface px-4 py-3">
            <dt className="text-ink-muted text-sm">{t(name)}</dt>
            <dd className="font-semibold text-2xl tabular-nums tracking-tight">
              {format.number(totals[name])}
            </dd>
            <dd className="text-ink-faint text-xs">{t(`${name}Hint`)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
