"use client";

import { useFormatter, useTranslations } from "next-intl";
import { type FormAnswer, useForm } from "#components/forms/form";
import { Badge } from "#components/ui/badge";
import { Button } from "#components/ui/button";
import { FormError } from "#components/ui/form-error";
import { toast } from "#components/ui/toast";
import { type Appeal, noteCharsMax } from "#lib/tenancy/bans/schema";
import { SelectField, TextareaField } from "../ui/labeled.tsx";

interface AppealListProps {
  appeals: readonly Appeal[];
  decide: (banId: string, userId: string, data: FormData) => Promise<FormAnswer<null>>;
}

export function AppealList({ appeals, decide }: AppealListProps) {
  const t = useTranslations("admin.bans");
  return (
    <section aria-labelledby="appeals" className="grid gap-3">
      <h2 id="appeals" className="font-semibold text-base">
        {t("appeals", { count: appeals.length })}
      </h2>
      <ul className="grid gap-3">
        {appeals.map((appeal) => (
          <AppealRow
            key={`${appeal.ban.id} ${appeal.user.id}`}
            appeal={appeal}
            decide={decide.bind(null, appeal.ban.id, appeal.user.id)}
          />
        ))}
      </ul>
    </section>
  );
}

interface AppealRowProps {
  appeal: Appeal;
  decide: (data: FormData) => Promise<FormAnswer<null>>;
}

function AppealRow({ appeal: { ban, user, text, appealedAt }, decide }: AppealRowProps) {
  const t = useTranslations("admin.bans");
  const format = useFormatter();
  const { form, pending, error, typed, field } = useForm(decide, () => toast.success(t("decided")));
  return (
    <li className="grid gap-3 rounded-xl border border-line p-4 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone="gray">{t(`kinds.${ban.kind}`)}</Badge>
        <span className="min-w-0 break-all font-medium">{ban.name}</span>
        <span className="text-ink-muted">
          {user.name} ({user.email}) ·{" "}
          {format.dateTime(new Date(appealedAt), { dateStyle: "medium", timeStyle: "short" })}
        </span>
      </p>
      <p className="text-ink-muted">{t("bannedFor", { note: ban.note })}</p>
      <blockquote className="whitespace-pre-wrap break-words border-line border-l-2 pl-3">
        {text}
      </blockquote>
      <form {...form} className="grid gap-3">
        <FormError>{error}</FormError>
        <div className="grid gap-3 sm:grid-cols-[12rem_1fr]">
          <SelectField
            label={t("decision")}
            name="decision"
            defaultValue={typed("decision", "decline")}
            options={[
              { value: "decline", label: t("decline") },
              { value: "accept", label: t("accept") },
            ]}
          />
          <TextareaField
            {...field("note")}
            label={t("decisionReason")}
            rows={1}
            maxLength={noteCharsMax}
          />
        </div>
        <div>
          <Button type="submit" pending={pending} aria-label={t("decideOn", { name: ban.name })}>
            {t("decide")}
          </Button>
        </div>
      </form>
    </li>
  );
}
