import { useFormatter, useTranslations } from "next-intl";
import type { Sending } from "#lib/outreach/sending/schema";
import { SendFigure } from "./send-figure.tsx";
import { durationOf } from "./send-summary.tsx";

interface SendPaceProps {
  pace: NonNullable<Sending["pace"]>;
  zone: string;
}

/** The rate of the last minute, what limits it, and the time left. */
export function SendPace({ pace, zone }: SendPaceProps) {
  const t = useTranslations("sending.pace");
  const duration = useTranslations("sending");
  const format = useFormatter();
  const { lastMinute, rate, limit, until, secondsLeft } = pace;
  const at = until ? format.dateTime(new Date(until), { timeStyle: "medium", timeZone: zone }) : "";
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-3">
      <SendFigure name={t("lastMinute")} value={t("messages", { count: lastMinute })} />
      <SendFigure name={t("limit")} value={t(`limits.${limit}`, { rate, at })} />
      <SendFigure name={t("left")} value={duration("atLeast", durationOf(secondsLeft))} />
    </dl>
  );
}
