import { useFormatter, useTranslations } from "next-intl";
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

export function OutcomeFigures({ shown: { made, reused, refused } }: { shown: Import }) {
  const t = useTranslations("imports");
  const format = useFormatter();
  return (
    <>
      <Figure name={t("made")} value={format.number(made - reused)} />
      {reused > 0 ? <Figure name={t("reused")} value={format.number(reused)} /> : null}
      <Figure name={t("refused")} value={format.number(refused)} />
    </>
  );
}
