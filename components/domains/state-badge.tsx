import { useTranslations } from "next-intl";
import { Badge } from "#components/ui/badge";
import type { Verification } from "#lib/links/domains/schema";

const tones = { verified: "green", pending: "yellow", failing: "red" } as const;

export function StateBadge({ state }: { state: Verification["state"] }) {
  const t = useTranslations("domains");
  return <Badge tone={tones[state]}>{t(`states.${state}`)}</Badge>;
}
