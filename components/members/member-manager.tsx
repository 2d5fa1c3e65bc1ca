"use client";

import { LogOut } from "lucide-react";
import { useTranslations } from "next-intl";
import { startTransition, useOptimistic, useState } from "react";
import type { Role } from "#lib/tenancy/access/schema";
import type { Invitation, Member } from "#lib/tenancy/members/schema";
import { enter } from "../auth/sign-in-form.tsx";
import { useAct } from "../forms/act.ts";
import type { FormAction, FormAnswer } from "../forms/form.tsx";
import { PageHead } from "../shell/page-head.tsx";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { toast } from "../ui/toast.tsx";
import { InvitationList } from "./invitation-list.tsx";
import { InviteDialog, type MadeInvitation } from "./invite-dialog.tsx";
import { MemberTable } from "./member-table.tsx";

type Act = (id: string) => Promise<FormAnswer<null>>;

export interface Self {
  id: string;
  role: Role;
  /** May invite, change and remove. */
  manages: boolean;
}

interface MemberManagerProps {
  workspace: string;
  self: Self;
  members: readonly Member[];
  invitations: readonly Invitation[];
  acts: {
    invite: FormAction<MadeInvitation>;
    revoke: Act;
    changeRole: (id: string, role: string) => Promise<FormAnswer<null>>;
    remove: Act;
    transfer: Act;
    leave: () => Promise<FormAnswer<null>>;
  };
}

/** An action to confirm. */
interface Question {
  about: "remove" | "transfer" | "leave";
  member: { id: string; name: string };
  open: boolean;
}

/** The expected member list before the server answers. */
type Edit = { id: string; role: Role } | { id: string; removed: true };

function edited(members: readonly Member[], edit: Edit): readonly Member[] {
  if ("removed" in edit) return members.filter(({ id }) => id !== edit.id);
  return members.map((one) => (one.id === edit.id ? { ...one, role: edit.role } : one));
}

export function MemberManager({ workspace, self, members, invitations, acts }: MemberManagerProps) {
  const t = useTranslations("members");
  const attempt = useAct();
  const [shown, edit] = useOptimistic(members, edited);
  const [question, setQuestion] = useState<Question>();

  function run(act: () => Promise<FormAnswer<null>>, done: () => void, change?: Edit) {
    startTransition(async () => {
      if (change) edit(change);
      if (await attempt(act)) done();
    });
  }

  function answerYes({ about, member: { id, name } }: Question) {
    if (about === "leave") return run(acts.leave, () => enter("/app"));
    const say = () => toast.success(t(about === "remove" ? "removed" : "transferred", { name }));
    if (about === "remove") return run(() => acts.remove(id), say, { id, removed: true });
    return run(() => acts.transfer(id), say, { id, role: "owner" });
  }

  const owners = members.filter(({ role }) => role === "owner").length;
  const mayLeave = self.role !== "owner" || owners > 1;
  const ask = (about: Question["about"]) => (member: Question["member"]) =>
    setQuestion({ about, member, open: true });
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
          {self.manages ? <InviteDialog invite={acts.invite} /> : null}
        </div>
      </PageHead>
      <MemberTable
        members={shown}
        self={self}
        onRole={({ id, name }, role) =>
          run(
            () => acts.changeRole(id, role),
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
              () => acts.revoke(id),
              () => toast.success(t("revoked")),
            )
          }
        />
      ) : null}
      {question ? (
        <ConfirmDialog
          open={question.open}
          onOpenChange={(open) => setQuestion({ ...question, open })}
          title={t(`${question.about}Title`, { name: question.member.name, workspace })}
          action={t(question.about)}
          onConfirm={() => answerYes(question)}
        >
          {t(`${question.about}Text`)}
        </ConfirmDialog>
      ) : null}
    </>
  );
}
