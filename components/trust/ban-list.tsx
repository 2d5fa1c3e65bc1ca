"use client";

import { ShieldCheck } from "lucide-react";
import Link from "next/link";
import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";
import { type FormAnswer, useForm } from "#components/forms/form";
import { Badge } from "#components/ui/badge";
import { Button } from "#components/ui/button";
import { classNames } from "#components/ui/class-names.ts";
import { Dialog, DialogContent, DialogSubmit, DialogTrigger } from "#components/ui/dialog";
import { EmptyState } from "#components/ui/empty-state";
import { FormError } from "#components/ui/form-error";
import { toast } from "#components/ui/toast";
import { type Ban, noteCharsMax } from "#lib/tenancy/bans/schema";
import { TextareaField } from "../ui/labeled.tsx";

interface BanListProps {
  bans: readonly Ban[];
  state: "active" | "lifted";
  lift: (id: string, data: FormData) => Promise<FormAnswer<null>>;
}

export function BanList({ bans, state, lift }: BanListProps) {
  const t = useTranslations("admin.bans");
  return (
    <section aria-labelledby="bans" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="bans" className="font-semibold text-base">
          {t(`headings.${state}`)}
        </h2>
        <nav aria-label={t("states")} className="flex gap-1 text-sm">
          {(["active", "lifted"] as const).map((one) => (
            <Link
              key={one}
              href={one === "active" ? "/admin/bans" : "/admin/bans?state=lifted"}
              aria-current={one === state ? "page" : undefined}
              className={classNames(
                "rounded-md px-3 py-1.5 hover:bg-hover",
                one === state && "bg-hover font-medium",
              )}
            >
              {t(`filters.${one}`)}
            </Link>
          ))}
        </nav>
      </div>
      {bans.length === 0 ? (
        <EmptyState icon={<ShieldCheck aria-hidden />} title={t(`empty.${state}`)}>
          {t("emptyText")}
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line rounded-xl border border-line">
          {bans.map((ban) => (
            <BanRow key={ban.id} ban={ban} lift={lift} />
          ))}
        </ul>
      )}
    </section>
  );
}

function BanRow({ ban, lift }: { ban: Ban; lift: BanListProps["lift"] }) {
  const t = useTranslations("admin.bans");
  const reasons = useTranslations("admin.reasons");
  const format = useFormatter();
  const date = (text: string) =>
    format.dateTime(new Date(text), { dateStyle: "medium", timeStyle: "short" });
  return (
    <li className="flex flex-wrap items-start gap-3 px-4 py-3">
      <div className="grid min-w-0 flex-1 gap-1 text-sm">
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone="gray">{t(`kinds.${ban.kind}`)}</Badge>
          <span className="min-w-0 break-all font-medium">{ban.name}</span>
          <Badge tone={ban.liftedAt ? "gray" : "red"}>{reasons(ban.reason)}</Badge>
        </p>
        <p className="break-words">{ban.note}</p>
        <p className="text-ink-muted">
          {t("since", { date: date(ban.createdAt) })}
          {ban.endsAt && !ban.liftedAt ? ` · ${t("until", { date: date(ban.endsAt) })}` : ""}
          {ban.liftedAt ? ` · ${t("liftedAt", { date: date(ban.liftedAt) })}` : ""}
        </p>
      </div>
      {ban.liftedAt ? null : <LiftDialog ban={ban} lift={lift} />}
    </li>
  );
}

function LiftDialog({ ban, lift }: { ban: Ban; lift: BanListProps["lift"] }) {
  const t = useTranslations("admin.bans");
  const [open, setOpen] = useState(false);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button aria-label={t("liftOf", { name: ban.name })}>{t("lift")}</Button>
      </DialogTrigger>
      <DialogContent title={t("liftTitle", { name: ban.name })} description={t("liftText")}>
        <LiftForm ban={ban} lift={lift} onDone={() => setOpen(false)} />
      </DialogContent>
    </Dialog>
  );
}

interface LiftFormProps {
  ban: Ban;
  lift: BanListProps["lift"];
  onDone: () => void;
}

function LiftForm({ ban, lift, onDone }: LiftFormProps) {
  const t = useTranslations("admin.bans");
  const { form, pending, error, field } = useForm(lift.bind(null, ban.id), () => {
    toast.success(t("lifted", { name: ban.name }));
    onDone();
  });
  return (
    <form {...form} className="grid gap-4">
      <FormError>{error}</FormError>
      <TextareaField {...field("note")} label={t("why")} rows={2} maxLength={noteCharsMax} />
      <DialogSubmit pending={pending}>{t("lift")}</DialogSubmit>
    </form>
  );
}
