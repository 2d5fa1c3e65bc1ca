import type { ReactNode } from "react";

interface PageHeadProps {
  heading: string;
  note?: ReactNode;
  children?: ReactNode;
}

export function PageHead({ heading, note, children }: PageHeadProps) {
  return (
    <div className="mb-5 flex flex-wrap items-start justify-between gap-3">
      <div className="grid gap-1">
        <h1 className="font-semibold text-xl tracking-tight">{heading}</h1>
        {note ? <p className="max-w-prose text-ink-muted text-sm">{note}</p> : null}
      </div>
      {children}
    </div>
  );
}
