import { useTranslations } from "next-intl";
import { Badge } from "#components/ui/badge";
import type { Webhook } from "#lib/outreach/webhooks/schema";

type State = "active" | "failing" | "paused" | "disabled";

const tones = { active: "green", failing: "yellow", paused: "gray", disabled: "red" } as const;

/** An active webhook whose URL accepts nothing is failing. */
export function stateOf({ state, failingSince }: Webhook): State {
  if (state === "disabled" || state === "paused") return state;
  return failingSince === null ? "active" : "failing";
}

export function WebhookStateBadge({ webhook }: { webhook: Webhook }) {
  const t = useTranslations("webhooks");
  const state = stateOf(webhook);
  return (
    <Badge tone={tones[state]} className="shrink-0">
      {t(`states.${state}`)}
    </Badge>
  );
}
