interface ProgressProps {
  label: string;
  /** From 0 to 1; undefined: unknown. */
  share: number | undefined;
}

export function Progress({ label, share }: ProgressProps) {
  const known = share === undefined ? {} : { value: share };
  return (
    <div className="grid gap-1.5">
      <p aria-hidden className="text-ink-muted text-sm tabular-nums">
        {label}
      </p>
      <progress
        aria-label={label}
        max={1}
        {...known}
        className="h-2 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:bg-accent"
      />
    </div>
  );
}
