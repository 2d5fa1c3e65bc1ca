import { useFormatter, useTranslations } from "next-intl";
import { Button } from "#components/ui/button";
import type { MessageView } from "./preview-text.ts";

const wideShown = 12;

interface MessageFiguresProps {
  view: MessageView;
  country: string;
  currency: string;
  /** Takes the template with plain characters. Undefined: read-only. */
  onReplace: ((template: string) => void) | undefined;
}

/** How long a message is, what it costs, and what could be improved. */
export function MessageFigures({ view, country, currency, onReplace }: MessageFiguresProps) {
  const t = useTranslations("campaignForm.preview");
  const format = useFormatter();
  const { segments, cost, saved, warnings, isTooLong } = view;
  const money = (amount: string) => `${amount} ${currency}`;
  return (
    <div className="grid gap-3 text-sm">
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2 tabular-nums">
        <Fact name={t("parts")} value={format.number(segments.parts.length)} />
        <Fact name={t("characters")} value={format.number(segments.units)} />
        <Fact
          name={t("alphabet")}
          value={country === "CN" ? t("mainland") : t(`alphabets.${alphabets[segments.encoding]}`)}
        />
        <Fact name={t("cost")} value={cost === null ? t("noPrice") : money(cost)} />
      </dl>
      {saved.parts > 0 ? (
        <p className="text-ink-muted">
          {t("saved", { parts: saved.parts })}
          {saved.cost === null ? null : ` ${t("savedCost", { cost: money(saved.cost) })}`}
        </p>
      ) : null}
      {isTooLong ? <p className="text-danger">{t("tooLong")}</p> : null}
      <WideCharacters view={view} onReplace={onReplace} />
      {warnings.map((code) => (
        <p key={code} className="rounded-md border border-line bg-surface px-3 py-2">
          {t(`warnings.${code}`)}
        </p>
      ))}
    </div>
  );
}

const alphabets = { "GSM-7": "gsm", "UCS-2": "ucs" } as const;

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt className="text-ink-muted text-xs">{name}</dt>
      <dd className="font-medium">{value}</dd>
    </div>
  );
}

function WideCharacters({ view, onReplace }: Pick<MessageFiguresProps, "view" | "onReplace">) {
  const t = useTranslations("campaignForm.preview");
  const { wide, replaced } = view;
  if (wide.length === 0) return null;
  const chars = wide
    .slice(0, wideShown)
    .map(({ char }) => char)
    .join(" ");
  return (
    <div className="grid justify-items-start gap-2 rounded-md border border-line bg-surface px-3 py-2">
      <p className="break-words">{t("wide", { chars })}</p>
      {replaced && onReplace ? (
        <Button size="sm" onClick={() => onReplace(replaced.template)}>
          {t("replace", { parts: replaced.parts })}
        </Button>
      ) : null}
    </div>
  );
}
