import { SearchX } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { Card } from "#components/ui/card";
import { EmptyState } from "#components/ui/empty-state";
import { bareUrl } from "#lib/basics/urls/schema";
import type { FoundByOffice } from "#lib/office/search/schema";
import { OfficeLink } from "./office-link.tsx";
import { Rows } from "./rows.tsx";

/** What a search found, in groups; groups without results are left out. */
export function SearchResults({ found }: { found: FoundByOffice }) {
  const t = useTranslations("admin.search");
  if (Object.values(found).every((group) => group.length === 0)) {
    return (
      <EmptyState icon={<SearchX aria-hidden />} title={t("noneTitle")}>
        {t("noneText")}
      </EmptyState>
    );
  }
  return (
    <div className="grid gap-5">
      <Links found={found} />
      <Codes found={found} />
      <Names found={found} />
    </div>
  );
}

interface GroupProps {
  found: FoundByOffice;
}

function Links({ found: { links } }: GroupProps) {
  const t = useTranslations("admin.search");
  const states = useTranslations("admin.linkStates");
  if (links.length === 0) return null;
  return (
    <Card heading={t("links")}>
      <Rows
        caption={t("links")}
        columns={[t("link"), t("state"), t("workspace"), t("destination")]}
        empty=""
        rows={links.map(({ id, shortLink, state, workspace, url }) => ({
          id,
          cells: [
            <OfficeLink key="link" href={`/admin/links/${id}`}>
              {bareUrl(shortLink)}
            </OfficeLink>,
            states(state),
            <OfficeLink key="workspace" href={`/admin/workspaces/${workspace.id}`}>
              {workspace.name}
            </OfficeLink>,
            url,
          ],
        }))}
      />
    </Card>
  );
}

function Codes({ found: { codes } }: GroupProps) {
  const t = useTranslations("admin.search");
  const states = useTranslations("admin.codeStates");
  const format = useFormatter();
  if (codes.length === 0) return null;
  return (
    <Card heading={t("codes")}>
      <Rows
        caption={t("codes")}
        columns={[t("code"), t("pk"), t("state")]}
        empty=""
        rows={codes.map(({ code, pk, state, recycled }) => ({
          id: code,
          cells: [
            code,
            format.number(pk, { useGrouping: false }),
            recycled ? t("recycled", { state: states(state) }) : states(state),
          ],
        }))}
      />
    </Card>
  );
}

function Names({ found: { domains, workspaces, people } }: GroupProps) {
  const t = useTranslations("admin.search");
  return (
    <>
      {domains.length > 0 ? (
        <Card heading={t("domains")}>
          <Rows
            caption={t("domains")}
            columns={[t("domain"), t("state"), t("workspace")]}
            empty=""
            rows={domains.map(({ id, slug, verified, workspace }) => ({
              id,
              cells: [
                <OfficeLink key="domain" href={`/admin/domains/${id}`}>
                  {slug}
                </OfficeLink>,
                t(verified ? "verified" : "pending"),
                workspace?.name ?? t("instance"),
              ],
            }))}
          />
        </Card>
      ) : null}
      {workspaces.length > 0 ? (
        <Card heading={t("workspaces")}>
          <Rows
            caption={t("workspaces")}
            columns={[t("name"), t("slug"), t("plan"), t("state")]}
            empty=""
            rows={workspaces.map(({ id, name, slug, plan, deleted }) => ({
              id,
              cells: [
                <OfficeLink key="name" href={`/admin/workspaces/${id}`}>
                  {name}
                </OfficeLink>,
                slug,
                plan,
                t(deleted ? "deleted" : "active"),
              ],
            }))}
          />
        </Card>
      ) : null}
      {people.length > 0 ? (
        <Card heading={t("people")}>
          <Rows
            caption={t("people")}
            columns={[t("email"), t("name"), t("role")]}
            empty=""
            rows={people.map(({ id, email, name, operator }) => ({
              id,
              cells: [
                <OfficeLink key="email" href={`/admin/people/${id}`}>
                  {email}
                </OfficeLink>,
                name,
                t(operator ? "administrator" : "person"),
              ],
            }))}
          />
        </Card>
      ) : null}
    </>
  );
}
