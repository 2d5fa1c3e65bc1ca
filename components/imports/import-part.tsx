import type { Import } from "#lib/transfer/imports/schema";

export interface ImportPartProps {
  workspace: string;
  shown: Import;
  onShown: (shown: Import) => void;
  /** May create links. */
  mayWrite: boolean;
}

export function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div className="grid gap-0.5">
      <dt className="text-ink-muted text-xs">{name}</dt>
      <dd className="font-semibold text-lg tabular-nums">{value}</dd>
    </div>
  );
}
