import { useTranslations } from "next-intl";
import type { Verification } from "#lib/links/domains/schema";
import { Badge } from "../ui/badge.tsx";

const tones = { verified: "green", pending: "yellow", failing: "red" } as const;

export function StateBadge({ state }: { state: Verification["state"] }) {
  const t = useTranslations("domains");
  return <Badge tone={tones[state]}>{t(`states.${state}`)}</Badge>;
}
