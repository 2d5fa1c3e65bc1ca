import { useFormatter, useTranslations } from "next-intl";
import { Card } from "#components/ui/card";
import type { OfficePerson } from "#lib/office/views/schema";
import { Facts } from "./facts.tsx";
import { OfficeLink } from "./office-link.tsx";
import { Rows } from "./rows.tsx";
import { useMoment } from "./use-moment.ts";

/** An account, its workspaces and its sessions. */
export function PersonView({ person }: { person: OfficePerson }) {
  const t = useTranslations("admin.person");
  const roles = useTranslations("members");
  const moment = useMoment();
  const format = useFormatter();
  const yes = (value: boolean) => t(value ? "yes" : "no");
  return (
    <>
      <Card heading={t("account")}>
        <Facts
          facts={[
            { label: t("id"), value: person.id },
            { label: t("created"), value: moment(person.createdAt) },
            { label: t("confirmed"), value: yes(person.confirmed) },
            { label: t("factor"), value: yes(person.factor) },
            { label: t("password"), value: yes(person.password) },
            { label: t("operator"), value: yes(person.operator) },
            {
              label: t("ban"),
              value: person.bannedAt
                ? t("banned", { since: moment(person.bannedAt) })
                : t("notBanned"),
            },
          ]}
        />
      </Card>
      <Card heading={t("workspaces")}>
        <Rows
          caption={t("workspaces")}
          columns={[t("workspace"), t("role")]}
          empty={t("noWorkspaces")}
          rows={person.workspaces.map(({ id, name, role }) => ({
            id,
            cells: [
              <OfficeLink key="name" href={`/admin/workspaces/${id}`}>
                {name}
              </OfficeLink>,
              roles(role),
            ],
          }))}
        />
      </Card>
      <Card heading={t("sessions")} note={t("sessionCount", { count: person.sessions.length })}>
        <Rows
          caption={t("sessions")}
          columns={[t("browser"), t("signedIn"), t("lastSeen")]}
          empty={t("noSessions")}
          rows={person.sessions.map(({ id, browser, os, createdAt, lastSeenAt }) => ({
            id,
            cells: [
              [browser, os].filter((part) => part !== null).join(", ") || t("unknown"),
              moment(createdAt),
              format.relativeTime(lastSeenAt),
            ],
          }))}
        />
      </Card>
    </>
  );
}
