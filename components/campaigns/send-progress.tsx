import { useFormatter, useTranslations } from "next-intl";
import type { SendState } from "#lib/outreach/sending/schema";

interface SendProgressProps {
  sends: Partial<Record<SendState, number>>;
  recipients: number;
}

/** The segments of the bar, in order. Messages that are not sent yet are the empty rest. */
const groups = [
  { name: "delivered", states: ["delivered"], color: "bg-accent" },
  { name: "sent", states: ["accepted"], color: "bg-accent/50" },
  { name: "unknown", states: ["unknown"], color: "bg-ink-faint" },
  { name: "failed", states: ["failed", "refused"], color: "bg-danger-fill" },
  { name: "open", states: ["due", "attempting", "later"], color: "" },
] as const;

export function SendProgress({ sends, recipients }: SendProgressProps) {
  const t = useTranslations("campaigns.messages");
  const format = useFormatter();
  const counts = groups.map(({ name, states, color }) => {
    const count = states.reduce((sum, state) => sum + (sends[state] ?? 0), 0);
    return { name, color, count };
  });
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  if (all === 0) return <span className="text-ink-muted">{t("none")}</span>;
  // Recipients who were added after the start have no message state yet.
  const total = Math.max(all, recipients);
  const shown = counts.filter(({ count }) => count > 0);
  return (
    <div className="grid gap-1">
      <div aria-hidden className="flex h-1.5 overflow-hidden rounded-full bg-hover">
        {shown.map(({ name, color, count }) => (
          <span key={name} className={color} style={{ width: `${(count / total) * 100}%` }} />
        ))}
      </div>
      <span className="text-ink-muted text-xs">
        {shown.map(({ name, count }) => t(name, { count: format.number(count) })).join(" · ")}
      </span>
    </div>
  );
}
