import type { FormAnswer } from "#components/forms/form";
import type { ListJob } from "#lib/links/list-jobs/schema";
import type { Import } from "#lib/transfer/imports/schema";

export interface ImportPartProps {
  workspace: string;
  shown: Import;
  onShown: (shown: Import) => void;
  mayWrite: boolean;
  undoImport: ((id: string) => Promise<FormAnswer<ListJob>>) | null;
}

export function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div className="grid gap-0.5">
      <dt className="text-ink-muted text-xs">{name}</dt>
      <dd className="font-semibold text-lg tabular-nums">{value}</dd>
    </div>
  );
}
