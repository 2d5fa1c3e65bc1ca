"use client";

import { LogOut, UserPlus } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { startTransition, useOptimistic, useState } from "react";
import { loadPage } from "#components/auth/load-page.ts";
import { type FormAction, type FormAnswer, useAction, useForm } from "#components/forms/form";
import { useCreated } from "#components/forms/use-created.ts";
import { PageHead } from "#components/shell/page-head";
import { Button } from "#components/ui/button";
import { Checkbox } from "#components/ui/checkbox";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { CopyField } from "#components/ui/copy-field";
import { DataTable } from "#components/ui/data-table";
import {
  Dialog,
  DialogActions,
  DialogClose,
  DialogContent,
  DialogSubmit,
  DialogTrigger,
} from "#components/ui/dialog";
import { FormError } from "#components/ui/form-error";
import { InputField, SelectField } from "#components/ui/labeled";
import { toast } from "#components/ui/toast";
import type { Role } from "#lib/tenancy/access/schema";
import type { Invitation, Member } from "#lib/tenancy/members/schema";
import { MemberTable } from "./member-table.tsx";

type MemberAction = (id: string) => Promise<FormAnswer<null>>;

export interface Self {
  id: string;
  role: Role;
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

interface InvitationListProps {
  invitations: readonly Invitation[];
  onRevoke: (id: string) => void;
}

function InvitationList({ invitations, onRevoke }: InvitationListProps) {
  const t = useTranslations("members");
  const format = useFormatter();
  return (
    <section className="mt-8 grid gap-3">
      <h2 className="font-semibold text-base">{t("invitations")}</h2>
      <DataTable
        caption={t("invitationsCaption")}
        rows={invitations}
        columns={[
          {
            heading: t("columnFor"),
            cellClass: "max-w-40 truncate sm:max-w-72",
            cell: ({ email }) => email ?? <span className="text-ink-muted">{t("anyone")}</span>,
          },
          { heading: t("columnRole"), cell: ({ role }) => t(role) },
          {
            heading: t("columnEnds"),
            className: "hidden sm:table-cell",
            cellClass: "text-ink-muted",
            cell: ({ expiresAt }) => format.dateTime(new Date(expiresAt), { dateStyle: "medium" }),
          },
          {
            heading: t("columnActions"),
            silent: true,
            cellClass: "text-right",
            cell: ({ id, email }) => (
              <Button
                variant="ghost"
                size="sm"
                aria-label={t("revokeFor", { name: email ?? t("anyone") })}
                onClick={() => onRevoke(id)}
              >
                {t("revoke")}
              </Button>
            ),
          },
        ]}
      />
    </section>
  );
}

interface CreatedInvitation {
  address: string;
  email: keyof typeof readyMessages;
  recipient: string;
}

const readyMessages = {
  sent: "readySent",
  refused: "readyUnsent",
  no_server: "readyNoServer",
  not_wanted: "readyLink",
} as const;

const invitableRoles = ["member", "admin", "viewer"] as const;
const dayChoices = [1, 7, 30];
const defaultDays = "7";

function InviteDialog({ invite }: { invite: FormAction<CreatedInvitation> }) {
  const t = useTranslations("members");
  const { created, setCreated, dialog } = useCreated<CreatedInvitation>();
  return (
    <Dialog {...dialog}>
      <DialogTrigger asChild>
        <Button variant="solid">
          <UserPlus aria-hidden />
          {t("invite")}
        </Button>
      </DialogTrigger>
      {created ? (
        <DialogContent
          title={t("readyTitle")}
          description={t(readyMessages[created.email], { email: created.recipient })}
        >
          <Ready address={created.address} />
        </DialogContent>
      ) : (
        <DialogContent side="right" title={t("inviteTitle")} description={t("inviteText")}>
          <InviteForm invite={invite} onMade={setCreated} />
        </DialogContent>
      )}
    </Dialog>
  );
}

interface InviteFormProps {
  invite: FormAction<CreatedInvitation>;
  onMade: (created: CreatedInvitation) => void;
}

function InviteForm({ invite, onMade }: InviteFormProps) {
  const t = useTranslations("members");
  const common = useTranslations("common");
  const { form, pending, error, typed, field } = useForm(invite, onMade);
  const [role, setRole] = useState<(typeof invitableRoles)[number]>("member");
  const days = dayChoices.map((count) => ({
    value: String(count),
    label: t("daysCount", { days: count }),
  }));
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <InputField
        {...field("email")}
        label={t("email")}
        hint={t("emailHint")}
        optional={common("optional")}
        type="email"
        autoComplete="off"
        autoFocus
      />
      <SelectField
        label={t("role")}
        hint={t(`${role}Hint`)}
        name="role"
        value={role}
        onValueChange={(value) => setRole(invitableRoles.find((one) => one === value) ?? role)}
        options={invitableRoles.map((one) => ({ value: one, label: t(one) }))}
      />
      <SelectField
        label={t("days")}
        name="days"
        defaultValue={typed("days", defaultDays)}
        options={days}
      />
      <DialogSubmit pending={pending}>{t("create")}</DialogSubmit>
    </form>
  );
}

function Ready({ address }: { address: string }) {
  const t = useTranslations("members");
  return (
    <div className="grid gap-4">
      <CopyField label={t("link")} text={address} copy={t("copy")} className="font-mono text-sm" />
      <DialogActions>
        <DialogClose asChild>
          <Button variant="solid">{t("done")}</Button>
        </DialogClose>
      </DialogActions>
    </div>
  );
}
