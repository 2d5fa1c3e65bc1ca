import { useTranslations } from "next-intl";
import { Badge } from "#components/ui/badge";
import type { Verification } from "#lib/links/domains/schema";
import { StateBadge } from "./state-badge.tsx";

interface DomainHeadProps {
  host: string;
  /** In its own script. */
  written: string;
  state: Verification["state"];
  primary: boolean;
  archived: boolean;
}

export function DomainHead({ host, written, state, primary, archived }: DomainHeadProps) {
  const t = useTranslations("domains");
  return (
    <div className="mb-5 grid gap-1">
      <div className="flex flex-wrap items-center gap-2">
        <h1 className="min-w-0 break-all font-semibold text-xl tracking-tight">{written}</h1>
        <StateBadge state={state} />
        {primary ? <Badge>{t("primary")}</Badge> : null}
        {archived ? <Badge>{t("archived")}</Badge> : null}
      </div>
      {/* Similar letters are distinguishable in this form. */}
      {written === host ? null : <p className="break-all text-ink-muted text-sm">{host}</p>}
    </div>
  );
}
