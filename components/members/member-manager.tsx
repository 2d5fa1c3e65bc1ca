"use client";

import { LogOut } from "lucide-react";
import { useTranslations } from "next-intl";
import { startTransition, useOptimistic, useState } from "react";
import { loadPage } from "#components/auth/load-page.ts";
import type { FormAction, FormAnswer } from "#components/forms/form";
import { useAction } from "#components/forms/use-action.ts";
import { PageHead } from "#components/shell/page-head";
import { Button } from "#components/ui/button";
import { Checkbox } from "#components/ui/checkbox";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { toast } from "#components/ui/toast";
import type { Role } from "#lib/tenancy/access/schema";
import type { Invitation, Member } from "#lib/tenancy/members/schema";
import { InvitationList } from "./invitation-list.tsx";
import { type CreatedInvitation, InviteDialog } from "./invite-dialog.tsx";
import { MemberTable } from "./member-table.tsx";

type MemberAction = (id: string) => Promise<FormAnswer<null>>;

export interface Self {
  id: string;
  role: Role;
  /** May change and remove members. */
  manages: boolean;
  invites: boolean;
}

interface MemberManagerProps {
  workspace: string;
  self: Self;
  members: readonly Member[];
  invitations: readonly Invitation[];
  actions: {
    invite: FormAction<CreatedInvitation>;
    revoke: MemberAction;
    changeRole: (id: string, role: Role) => Promise<FormAnswer<null>>;
    remove: (id: string, endShares: boolean) => Promise<FormAnswer<null>>;
    transfer: MemberAction;
    leave: () => Promise<FormAnswer<null>>;
  };
}

/** An action to confirm. */
interface Confirmation {
  action: "remove" | "transfer" | "leave";
  member: { id: string; name: string };
  open: boolean;
  /** A removal also ends the member's share links. */
  endShares: boolean;
}

/** The expected member list before the server answers. */
type MemberEdit = { id: string; role: Role } | { id: string; removed: true };

function applyEdit(members: readonly Member[], edit: MemberEdit): readonly Member[] {
  if ("removed" in edit) return members.filter(({ id }) => id !== edit.id);
  return members.map((one) => (one.id === edit.id ? { ...one, role: edit.role } : one));
}

export function MemberManager({
  workspace,
  self,
  members,
  invitations,
  actions,
}: MemberManagerProps) {
  const t = useTranslations("members");
  const attempt = useAction();
  const [shown, edit] = useOptimistic(members, applyEdit);
  const [question, setQuestion] = useState<Confirmation>();

  function run(action: () => Promise<FormAnswer<null>>, done: () => void, change?: MemberEdit) {
    startTransition(async () => {
      if (change) edit(change);
      if (await attempt(action)) done();
    });
  }

  function answerYes({ action, member: { id, name }, endShares }: Confirmation) {
    if (action === "leave") return run(actions.leave, () => loadPage("/app"));
    const say = () => toast.success(t(action === "remove" ? "removed" : "transferred", { name }));
    if (action === "remove")
      return run(() => actions.remove(id, endShares), say, { id, removed: true });
    return run(() => actions.transfer(id), say, { id, role: "owner" });
  }

  const owners = members.filter(({ role }) => role === "owner").length;
  const mayLeave = self.role !== "owner" || owners > 1;
  const ask = (action: Confirmation["action"]) => (member: Confirmation["member"]) =>
    setQuestion({ action, member, open: true, endShares: true });
  return (
    <>
      <PageHead heading={t("heading")} note={t("note")}>
        <div className="flex flex-wrap gap-2">
          {mayLeave ? (
            <Button onClick={() => ask("leave")({ id: self.id, name: "" })}>
              <LogOut aria-hidden />
              {t("leave")}
            </Button>
          ) : null}
          {self.invites ? <InviteDialog invite={actions.invite} /> : null}
        </div>
      </PageHead>
      <MemberTable
        members={shown}
        self={self}
        onRole={({ id, name }, role) =>
          run(
            () => actions.changeRole(id, role),
            () => toast.success(t("roleChanged", { name, role: t(role) })),
            { id, role },
          )
        }
        onRemove={ask("remove")}
        onTransfer={ask("transfer")}
      />
      {self.manages && invitations.length > 0 ? (
        <InvitationList
          invitations={invitations}
          onRevoke={(id) =>
            run(
              () => actions.revoke(id),
              () => toast.success(t("revoked")),
            )
          }
        />
      ) : null}
      {question ? (
        <ConfirmDialog
          open={question.open}
          onOpenChange={(open) => setQuestion({ ...question, open })}
          title={t(`${question.action}Title`, { name: question.member.name, workspace })}
          action={t(question.action)}
          onConfirm={() => answerYes(question)}
        >
          <p>{t(`${question.action}Text`)}</p>
          {question.action === "remove" ? (
            <div className="mt-3 text-ink">
              <Checkbox
                label={t("removeShares")}
                checked={question.endShares}
                onCheckedChange={(checked) =>
                  setQuestion({ ...question, endShares: checked === true })
                }
              />
            </div>
          ) : null}
        </ConfirmDialog>
      ) : null}
    </>
  );
}
