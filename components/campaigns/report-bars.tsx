import { useFormatter, useTranslations } from "next-intl";

interface ReportBarsProps {
  caption: string;
  rows: readonly { id: string; name: string; count: number }[];
}

/** Names with their numbers, each with a bar behind it. */
export function ReportBars({ caption, rows }: ReportBarsProps) {
  const t = useTranslations("campaignReport");
  // The card around it has the plain name.
  const label = t("tableOf", { name: caption });
  const format = useFormatter();
  const most = Math.max(1, ...rows.map(({ count }) => count));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable from the keyboard
    <section aria-label={label} tabIndex={0} className="max-h-80 overflow-y-auto">
      <table className="w-full table-fixed text-sm">
        <caption className="sr-only">{label}</caption>
        <colgroup>
          <col />
          <col className="w-20" />
        </colgroup>
        <thead className="sr-only">
          <tr>
            <th scope="col">{caption}</th>
            <th scope="col">{t("count")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, name, count }) => (
            <tr key={id}>
              <th scope="row" className="relative h-8 pr-2 text-left font-normal">
                <span
                  aria-hidden
                  className="absolute inset-y-0.5 left-0 rounded-md bg-accent-soft"
                  style={{ width: `${(count / most) * 100}%` }}
                />
                <span className="relative block truncate px-2">{name}</span>
              </th>
              <td className="text-right font-medium tabular-nums">{format.number(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
