interface SendFigureProps {
  name: string;
  value: string;
  /** What the number counts. */
  hint?: string | undefined;
}

/** A number with its name, in a list of them. */
export function SendFigure({ name, value, hint }: SendFigureProps) {
  return (
    <div className="grid content-start gap-0.5">
      <dt className="text-ink-muted text-xs">{name}</dt>
      <dd className="font-semibold text-lg tabular-nums">{value}</dd>
      {hint ? <dd className="text-ink-muted text-xs">{hint}</dd> : null}
    </div>
  );
}
