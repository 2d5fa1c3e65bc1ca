"use client";

import { Ellipsis } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { Avatar } from "#components/ui/avatar";
import { Badge } from "#components/ui/badge";
import { Button } from "#components/ui/button";
import { DataTable } from "#components/ui/data-table";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "#components/ui/menu";
import { Select } from "#components/ui/select";
import { type Role, roles } from "#lib/tenancy/access/schema";
import type { Member } from "#lib/tenancy/members/schema";
import type { Self } from "./member-manager.tsx";

interface MemberTableProps {
  members: readonly Member[];
  self: Self;
  onRole: (member: Member, role: Role) => void;
  onRemove: (member: Member) => void;
  onTransfer: (member: Member) => void;
}

export function MemberTable({ members, self, ...on }: MemberTableProps) {
  const t = useTranslations("members");
  const format = useFormatter();
  const owners = members.filter(({ role }) => role === "owner").length;
  return (
    <DataTable
      caption={t("caption")}
      rows={members}
      columns={[
        {
          heading: t("columnName"),
          cellClass: "py-2",
          cell: (member) => <Person member={member} you={member.id === self.id} />,
        },
        {
          heading: t("columnRole"),
          cell: (member) => (
            <RoleCell member={member} self={self} owners={owners} onRole={on.onRole} />
          ),
        },
        {
          heading: t("columnFactor"),
          className: "hidden lg:table-cell",
          cellClass: "text-ink-muted",
          cell: ({ factor }) => t(factor ? "on" : "off"),
        },
        {
          heading: t("columnJoined"),
          className: "hidden lg:table-cell",
          cellClass: "text-ink-muted",
          cell: ({ createdAt }) => format.dateTime(new Date(createdAt), { dateStyle: "medium" }),
        },
        {
          heading: t("columnActions"),
          silent: true,
          cellClass: "text-right",
          cell: (member) => <Actions member={member} self={self} {...on} />,
        },
      ]}
    />
  );
}

function Person({ member: { name, email }, you }: { member: Member; you: boolean }) {
  const t = useTranslations("members");
  return (
    <div className="flex items-center gap-2.5">
      <Avatar name={name} className="size-7" />
      <div className="grid max-w-36 sm:max-w-72">
        <span className="flex items-center gap-1.5 font-medium">
          <span className="truncate">{name}</span>
          {you ? <Badge>{t("you")}</Badge> : null}
        </span>
        <span className="truncate text-ink-muted text-xs">{email}</span>
      </div>
    </div>
  );
}

/** Hides actions that are not permitted. Only owners can add or change owners, and the last owner stays. */
function mayChange(member: Member, self: Self): boolean {
  return self.manages && (member.role !== "owner" || self.role === "owner");
}

interface RoleCellProps extends Pick<MemberTableProps, "self" | "onRole"> {
  member: Member;
  owners: number;
}

function RoleCell({ member, self, owners, onRole }: RoleCellProps) {
  const t = useTranslations("members");
  const last = member.role === "owner" && owners === 1;
  if (!mayChange(member, self) || last) return t(member.role);
  const offered = roles.filter((role) => role !== "owner" || self.role === "owner");
  return (
    <Select
      aria-label={t("roleOf", { name: member.name })}
      className="min-w-28"
      value={member.role}
      onValueChange={(value) => {
        const role = roles.find((one) => one === value);
        if (role && role !== member.role) onRole(member, role);
      }}
      options={offered.map((role) => ({ value: role, label: t(role) }))}
    />
  );
}

interface ActionsProps extends Pick<MemberTableProps, "self" | "onRemove" | "onTransfer"> {
  member: Member;
}

function Actions({ member, self, onRemove, onTransfer }: ActionsProps) {
  const t = useTranslations("members");
  if (member.id === self.id || !mayChange(member, self)) return null;
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button variant="ghost" size="icon" aria-label={t("more", { name: member.name })}>
          <Ellipsis aria-hidden />
        </Button>
      </MenuTrigger>
      <MenuContent align="end">
        {self.role === "owner" && member.role !== "owner" ? (
          <MenuItem onSelect={() => onTransfer(member)}>{t("transfer")}</MenuItem>
        ) : null}
        <MenuItem onSelect={() => onRemove(member)}>{t("remove")}</MenuItem>
      </MenuContent>
    </Menu>
  );
}
