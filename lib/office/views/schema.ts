/** What administrators see, as types; scripts get the same as JSON. */
import type { Link } from "#lib/links/fields/schema";
import type { Role } from "#lib/tenancy/access/schema";
import type { PresentedAuditEntry } from "#lib/tenancy/audit/schema";
import type { Member } from "#lib/tenancy/members/schema";
import type { ImportSummary } from "#lib/transfer/imports/schema";

export interface WorkspaceName {
  id: string;
  slug: string;
  name: string;
}

interface PersonName {
  id: string;
  name: string;
}

export interface OfficeWorkspace extends WorkspaceName {
  plan: string;
  zone: string;
  /** Only the settings of the instance change them. */
  privateNetworks: string[];
  createdAt: string;
  deletedAt: string | null;
  members: Member[];
  usage: Readonly<Record<string, { used: number | null; limit: number | null }>>;
  domains: { id: string; slug: string; verified: boolean }[];
  links: { id: string; shortLink: string; url: string; createdAt: string; clicks: number }[];
  imports: {
    id: string;
    name: string;
    state: ImportSummary["state"];
    createdAt: string;
    done: number;
    rows: number;
  }[];
  /** `hint` has the first characters. The secret is never included. */
  apiKeys: {
    id: string;
    name: string;
    hint: string;
    scopes: string[];
    user: PersonName;
    lastUsedAt: string | null;
    expiresAt: string | null;
  }[];
  audit: PresentedAuditEntry[];
}

export interface OfficeLink {
  link: Link;
  pk: number;
  /** Whether its slug is the code of its pk. */
  code: boolean;
  retiredAt: string | null;
  bannedAt: string | null;
  workspace: WorkspaceName;
  creator: PersonName | null;
  apiKey: PersonName | null;
}

export interface OfficeDomain {
  id: string;
  slug: string;
  workspace: WorkspaceName | null;
  primary: boolean;
  archived: boolean;
  verifiedAt: Date | null;
  failingSince: Date | null;
  checkedAt: Date | null;
  createdAt: Date;
  expiredUrl: string | null;
  notFoundUrl: string | null;
}

export interface OfficePerson extends PersonName {
  email: string;
  createdAt: Date;
  confirmed: boolean;
  operator: boolean;
  factor: boolean;
  password: boolean;
  bannedAt: Date | null;
  workspaces: (WorkspaceName & { role: Role })[];
  sessions: {
    id: string;
    createdAt: Date;
    lastSeenAt: Date;
    browser: string | null;
    os: string | null;
  }[];
}

export interface OfficeOperation {
  id: string;
  at: string;
  actor: string;
  actorName: string | null;
  action: string;
  subject: string | null;
  subjectName: string | null;
  workspace: { id: string; name: string } | null;
  address: string | null;
  details: Record<string, unknown> | null;
}
