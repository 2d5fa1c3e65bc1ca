import { useFormatter, useTranslations } from "next-intl";
import { Facts, OfficeLink, RowsCard, useMoment } from "#components/admin/tables";
import { PageHead } from "#components/shell/page-head";
import { Card } from "#components/ui/card";
import { bareUrl } from "#lib/basics/urls/schema";
import { viewWorkspace } from "#lib/office/views";
import type { OfficeWorkspace } from "#lib/office/views/schema";
import { shownCounted } from "#lib/tenancy/plans/schema";
import { orMissing, type PageOf } from "../../../../pages.tsx";
import { requireOperator } from "../../../access.ts";
import { officeTitle } from "../../../title.ts";

export const generateMetadata = officeTitle("workspaces");

export default async function OfficeWorkspacePage({ params }: PageOf<"id">) {
  const operator = await requireOperator();
  const { id } = await params;
  const workspace = await orMissing(viewWorkspace(operator, id));
  return (
    <>
      <PageHead heading={workspace.name} />
      <WorkspaceView workspace={workspace} />
    </>
  );
}

const shownQuotas = ["links", ...shownCounted] as const;

interface WorkspaceViewProps {
  workspace: OfficeWorkspace;
}

function WorkspaceView({ workspace }: WorkspaceViewProps) {
  return (
    <div className="grid gap-5">
      <Summary workspace={workspace} />
      <Usage workspace={workspace} />
      <Members workspace={workspace} />
      <Domains workspace={workspace} />
      <Links workspace={workspace} />
      <Imports workspace={workspace} />
      <ApiKeys workspace={workspace} />
      <Audit workspace={workspace} />
    </div>
  );
}

function Summary({ workspace }: WorkspaceViewProps) {
  const t = useTranslations("admin.workspace");
  const moment = useMoment();
  const { id, slug, plan, zone, privateNetworks, createdAt, deletedAt } = workspace;
  return (
    <Card heading={t("summary")}>
      <Facts
        facts={[
          { label: t("id"), value: id },
          { label: t("slug"), value: slug },
          {
            label: t("plan"),
            value: <OfficeLink href={`/admin/plans?workspace=${id}`}>{plan}</OfficeLink>,
          },
          { label: t("zone"), value: zone },
          { label: t("privateNetworks"), value: privateNetworks.join(", ") || t("none") },
          { label: t("created"), value: moment(createdAt) },
          { label: t("deleted"), value: moment(deletedAt) },
        ]}
      />
    </Card>
  );
}

function Usage({ workspace: { usage } }: WorkspaceViewProps) {
  const t = useTranslations("admin.workspace");
  const names = useTranslations("plans.names");
  const format = useFormatter();
  const amount = (value: number | null | undefined, none: string) =>
    typeof value === "number" ? format.number(value) : none;
  return (
    <Card heading={t("usage")}>
      <Facts
        facts={shownQuotas.map((name) => ({
          label: names(name),
          value: t("usedOf", {
            used: amount(usage[name]?.used, t("uncounted")),
            limit: amount(usage[name]?.limit, t("unlimited")),
          }),
        }))}
      />
    </Card>
  );
}

function Members({ workspace: { members } }: WorkspaceViewProps) {
  const t = useTranslations("admin.workspace");
  const roles = useTranslations("members");
  return (
    <RowsCard
      caption={t("members")}
      columns={[t("name"), t("email"), t("role"), t("factor")]}
      empty={t("none")}
      rows={members.map(({ id, name, email, role, factor }) => ({
        id,
        cells: [
          <OfficeLink key="name" href={`/admin/people/${id}`}>
            {name}
          </OfficeLink>,
          email,
          roles(role),
          roles(factor ? "on" : "off"),
        ],
      }))}
    />
  );
}

function Domains({ workspace: { domains } }: WorkspaceViewProps) {
  const t = useTranslations("admin.workspace");
  return (
    <RowsCard
      caption={t("domains")}
      columns={[t("domain"), t("state")]}
      empty={t("none")}
      rows={domains.map(({ id, slug, verified }) => ({
        id,
        cells: [
          <OfficeLink key="slug" href={`/admin/domains/${id}`}>
            {slug}
          </OfficeLink>,
          t(verified ? "verified" : "pending"),
        ],
      }))}
    />
  );
}

function Links({ workspace: { links } }: WorkspaceViewProps) {
  const t = useTranslations("admin.workspace");
  const format = useFormatter();
  const moment = useMoment();
  return (
    <RowsCard
      caption={t("links")}
      columns={[t("link"), t("clicks"), t("created"), t("destination")]}
      empty={t("none")}
      rows={links.map(({ id, shortLink, url, createdAt, clicks }) => ({
        id,
        cells: [
          <OfficeLink key="link" href={`/admin/links/${id}`}>
            {bareUrl(shortLink)}
          </OfficeLink>,
          format.number(clicks),
          moment(createdAt),
          url,
        ],
      }))}
    />
  );
}

function Imports({ workspace: { imports } }: WorkspaceViewProps) {
  const t = useTranslations("admin.workspace");
  const states = useTranslations("admin.importStates");
  const format = useFormatter();
  const moment = useMoment();
  return (
    <RowsCard
      caption={t("imports")}
      columns={[t("file"), t("state"), t("rows"), t("created")]}
      empty={t("none")}
      rows={imports.map(({ id, name, state, createdAt, done, rows }) => ({
        id,
        cells: [
          name,
          states(state),
          t("rowsOf", { done: format.number(done), rows: format.number(rows) }),
          moment(createdAt),
        ],
      }))}
    />
  );
}

function ApiKeys({ workspace: { apiKeys } }: WorkspaceViewProps) {
  const t = useTranslations("admin.workspace");
  const moment = useMoment();
  return (
    <RowsCard
      caption={t("apiKeys")}
      columns={[t("name"), t("beginning"), t("owner"), t("lastUsed"), t("expires")]}
      empty={t("none")}
      rows={apiKeys.map(({ id, name, hint, user, lastUsedAt, expiresAt }) => ({
        id,
        cells: [name, `${hint}…`, user.name, moment(lastUsedAt), moment(expiresAt)],
      }))}
    />
  );
}

function Audit({ workspace: { audit } }: WorkspaceViewProps) {
  const t = useTranslations("admin.workspace");
  const moment = useMoment();
  return (
    <RowsCard
      caption={t("audit")}
      columns={[t("at"), t("actor"), t("action"), t("subject")]}
      empty={t("none")}
      rows={audit.map(({ id, at, actor, action, subject, subjectName }) => ({
        id,
        cells: [moment(at), actor.name ?? actor.id, action, subjectName ?? subject ?? "–"],
      }))}
    />
  );
}
