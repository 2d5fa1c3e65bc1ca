import { useFormatter, useTranslations } from "next-intl";
import { ReasonButtons } from "#components/admin/reason-buttons";
import { Facts, OfficeLink, RowsCard, useMoment } from "#components/admin/tables";
import { PageHead } from "#components/shell/page-head";
import { Card } from "#components/ui/card";
import { viewPerson } from "#lib/office/views";
import type { OfficePerson } from "#lib/office/views/schema";
import { orMissing, type PageOf } from "../../../../pages.tsx";
import { requireOperator } from "../../../access.ts";
import { officeTitle } from "../../../title.ts";
import { changePersonAction } from "./actions.ts";

export const generateMetadata = officeTitle("people");

export default async function OfficePersonPage({ params }: PageOf<"id">) {
  const operator = await requireOperator();
  const { id } = await params;
  const person = await orMissing(viewPerson(operator, id));
  return (
    <>
      <PageHead heading={person.name} note={person.email} />
      <div className="grid gap-5">
        <PersonView person={person} />
        <PersonActions person={person} />
      </div>
    </>
  );
}

interface PersonProps {
  person: OfficePerson;
}

function PersonActions({ person: { id, operator, confirmed, factor, sessions } }: PersonProps) {
  const t = useTranslations("admin.personActions");
  const changes = [
    ...(confirmed ? [] : (["resendConfirmation"] as const)),
    ...(sessions.length > 0 ? (["endSessions"] as const) : []),
    ...(factor ? (["dropFactor"] as const) : []),
    operator ? ("removeOperator" as const) : ("addOperator" as const),
  ];
  return (
    <Card heading={t("heading")} note={t("note")}>
      <div className="flex flex-wrap gap-2">
        <ReasonButtons
          label={t("reason")}
          hint={t("reasonHint")}
          changes={changes.map((name) => ({
            button: t(`names.${name}`),
            title: t(`names.${name}`),
            text: t(`notes.${name}`),
            submit: t(`names.${name}`),
            done: t("done"),
            change: changePersonAction.bind(null, id, name),
          }))}
        />
      </div>
    </Card>
  );
}

function PersonView({ person }: PersonProps) {
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
      <RowsCard
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
      <RowsCard
        caption={t("sessions")}
        note={t("sessionCount", { count: person.sessions.length })}
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
    </>
  );
}
