import type { ReactNode } from "react";

export function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-ink-muted">{name}</dt>
      <dd className="break-words font-medium tabular-nums">{children ?? "–"}</dd>
    </div>
  );
}
