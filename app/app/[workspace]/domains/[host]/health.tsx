import { getLocale } from "next-intl/server";
import { DismissAlarm } from "#components/domains/dismiss-alarm";
import { DomainAlarmNote } from "#components/domains/domain-alarm";
import { DomainHealthCard } from "#components/domains/domain-health";
import { getDomainHealth } from "#lib/analytics/domain-health";
import { appLabel } from "#lib/platform/request-info/schema";
import type { WorkspaceScope } from "#lib/tenancy/access";
import { dismissAlarmAction } from "../actions.ts";

interface DomainHealthSectionProps {
  scope: WorkspaceScope;
  host: string;
}

/** The health of an active domain. */
export async function DomainHealthSection({ scope, host }: DomainHealthSectionProps) {
  const [health, locale] = await Promise.all([getDomainHealth(scope, host), getLocale()]);
  const { slug, permissions } = scope;
  const writes = permissions.has("domains.write");
  return (
    <DomainHealthCard
      health={health}
      alarms={health.alarms.map((alarm) => (
        <DomainAlarmNote
          key={alarm.app}
          alarm={alarm}
          host={host}
          defaultPath={writes ? `/app/${slug}/settings` : null}
          dismiss={
            writes ? (
              <DismissAlarm
                app={appLabel(alarm.app, locale === "zh" ? "zh" : "en")}
                dismiss={dismissAlarmAction.bind(null, slug, host, alarm.app)}
              />
            ) : null
          }
        />
      ))}
    />
  );
}
