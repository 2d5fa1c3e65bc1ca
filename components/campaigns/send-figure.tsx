import type { useFormatter } from "next-intl";

interface SendFigureProps {
  name: string;
  value: string;
  hint?: string | undefined;
}

export function SendFigure({ name, value, hint }: SendFigureProps) {
  return (
    <div className="grid content-start gap-0.5">
      <dt className="text-ink-muted text-xs">{name}</dt>
      <dd className="font-semibold text-lg tabular-nums">{value}</dd>
      {hint ? <dd className="text-ink-muted text-xs">{hint}</dd> : null}
    </div>
  );
}

/** Amounts have up to six decimals, because one part of a message costs very little. */
const decimalsMax = 6;

export function moneyOf(
  format: Pick<ReturnType<typeof useFormatter>, "number">,
  amount: string,
  currency: string,
): string {
  return format.number(Number(amount), {
    style: "currency",
    currency,
    maximumFractionDigits: Number(amount) < 1 ? decimalsMax : 2,
  });
}
