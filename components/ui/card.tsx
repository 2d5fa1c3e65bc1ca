import { type ReactNode, useId } from "react";

interface CardProps {
  heading: string;
  note?: ReactNode;
  aside?: ReactNode;
  children?: ReactNode;
}

export function Card({ heading, note, aside, children }: CardProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-[minmax(0,1fr)] gap-4 rounded-xl border border-line bg-surface p-5"
    >
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="grid gap-1">
          <h2 id={id} className="font-semibold text-base">
            {heading}
          </h2>
          {note ? <div className="max-w-prose text-ink-muted text-sm">{note}</div> : null}
        </div>
        {aside}
      </div>
      {children}
    </section>
  );
}
