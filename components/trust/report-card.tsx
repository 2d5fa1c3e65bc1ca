"use client";

import { useFormatter, useTranslations } from "next-intl";
import { type FormAction, useForm } from "#components/forms/form";
import { Badge } from "#components/ui/badge";
import { Button } from "#components/ui/button";
import { FormError } from "#components/ui/form-error";
import { toast } from "#components/ui/toast";
import { abuseReasons } from "#lib/basics/abuse/schema";
import type { ReportedLink } from "#lib/office/reports/schema";
import { noteCharsMax } from "#lib/tenancy/bans/schema";
import { SelectField, TextareaField } from "../ui/labeled.tsx";

const actions = ["dismiss", "ban_link", "ban_host", "ban_workspace"] as const;

interface ReportCardProps {
  link: ReportedLink;
  decide: FormAction<null>;
}

export function ReportCard({ link, decide }: ReportCardProps) {
  const t = useTranslations("admin.reports");
  const owners = link.owners.map(({ name, email }) => `${name} (${email})`).join(", ");
  const facts = [
    [t("destination"), link.url],
    [t("host"), link.host],
    [t("workspace"), `${link.workspace.name} (${link.workspace.slug})`],
    [t("owners"), owners],
  ];
  return (
    <li className="grid gap-4 rounded-xl border border-line p-4 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 break-all font-medium">{link.shortLink}</span>
        <Badge tone="red">{t("count", { count: link.reports })}</Badge>
        {link.banned ? <Badge tone="gray">{t("banned")}</Badge> : null}
      </p>
      <dl className="grid gap-2 sm:grid-cols-[8rem_1fr]">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-muted">{name}</dt>
            {/* As text only: administrators must not open it by accident. */}
            <dd className="break-all">{value}</dd>
          </div>
        ))}
      </dl>
      <Latest link={link} />
      <Decision link={link} decide={decide} />
    </li>
  );
}

function Latest({ link }: { link: ReportedLink }) {
  const t = useTranslations("admin.reports");
  const reasons = useTranslations("admin.reasons");
  const format = useFormatter();
  return (
    <ul className="grid gap-2">
      {link.latest.map((report, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: reports have no public id, and the list never changes in place
        <li key={at} className="border-line border-l-2 pl-3">
          <p className="text-ink-muted">
            {reasons(report.reason)} ·{" "}
            {format.dateTime(new Date(report.createdAt), {
              dateStyle: "medium",
              timeStyle: "short",
            })}
            {report.wantsAnswer ? ` · ${t("wantsAnswer")}` : ""}
          </p>
          {report.text ? <p className="whitespace-pre-wrap break-words">{report.text}</p> : null}
        </li>
      ))}
    </ul>
  );
}

function Decision({ link, decide }: ReportCardProps) {
  const t = useTranslations("admin.reports");
  const reasons = useTranslations("admin.reasons");
  const { form, pending, error, typed, field } = useForm(decide, () => toast.success(t("decided")));
  return (
    <form {...form} className="grid gap-3">
      <FormError>{error}</FormError>
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField
          label={t("action")}
          name="action"
          defaultValue={typed("action", "ban_link")}
          options={actions.map((value) => ({ value, label: t(`actions.${value}`) }))}
        />
        <SelectField
          label={t("reason")}
          hint={t("reasonHint")}
          name="reason"
          defaultValue={typed("reason", link.latest[0]?.reason ?? "other")}
          options={abuseReasons.map((value) => ({ value, label: reasons(value) }))}
        />
      </div>
      <TextareaField
        {...field("note")}
        label={t("explanation")}
        hint={t("explanationHint")}
        rows={2}
        maxLength={noteCharsMax}
      />
      <div>
        <Button
          type="submit"
          pending={pending}
          aria-label={t("decideOn", { link: link.shortLink })}
        >
          {t("decide")}
        </Button>
      </div>
    </form>
  );
}
