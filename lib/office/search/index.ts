/**
 * One field that finds any link, code, domain, workspace or person of the instance.
 *
 * Links are found exactly: by their URL, slug, code or id. Domains, workspaces and people are found exactly or by the
 * beginning of a name, exact ones first. Every workspace of the results gets an entry in its audit log.
 */
import { auditLooks, type OperatorScope } from "#lib/tenancy/operators";
import { findCode, findLinks } from "./links.ts";
import { findDomains, findPeople, findWorkspaces } from "./names.ts";
import type { FoundByOffice } from "./schema.ts";

export async function searchOffice(operator: OperatorScope, text: string): Promise<FoundByOffice> {
  const [links, code, domains, workspaces, people] = await Promise.all([
    findLinks(text),
    findCode(text),
    findDomains(text),
    findWorkspaces(text),
    findPeople(text),
  ]);
  const owners = [...links, ...domains, ...workspaces].flatMap(({ workspacePk }) =>
    workspacePk === null ? [] : [workspacePk],
  );
  await auditLooks(operator, [null], { action: "operator.find", details: { text } });
  // defence: operator-searches-recorded
  await auditLooks(operator, owners, { action: "operator.find" });
  return {
    links: links.map(({ workspacePk: _, ...link }) => link),
    codes: code ? [code] : [],
    domains: domains.map(({ workspacePk: _, ...domain }) => domain),
    workspaces: workspaces.map(({ workspacePk: _, ...workspace }) => workspace),
    people,
  };
}
