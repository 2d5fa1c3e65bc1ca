"use client";

import { Mail, Plus } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";
import type { FormAnswer } from "#components/forms/form";
import { useRemoval } from "#components/forms/removal.ts";
import { PageHead } from "#components/shell/page-head";
import { Button } from "#components/ui/button";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { DataTable } from "#components/ui/data-table";
import { Dialog, DialogContent, DialogTrigger } from "#components/ui/dialog";
import { EmptyState } from "#components/ui/empty-state";
import { toast } from "#components/ui/toast";
import type { EmailReport, ReportRecipient } from "#lib/outreach/email-reports/schema";
import { type ReportSubject, subjectOf } from "./report-draft.ts";
import { ReportForm, type ReportFormProps } from "./report-form.tsx";

interface ReportManagerProps extends ReportFormProps {
  reports: readonly EmailReport[];
  zone: string;
  create: (data: FormData) => Promise<FormAnswer<null>>;
  edit: (id: string, data: FormData) => Promise<FormAnswer<null>>;
  remove: (id: string) => Promise<FormAnswer<null>>;
}

export function ReportManager({
  reports,
  zone,
  create,
  edit,
  remove,
  ...formProps
}: ReportManagerProps) {
  const t = useTranslations("emailReports");
  const nameOf = useReportName(formProps.subjects);
  const [edited, setEdited] = useState<EmailReport>();
  const { shown, ask, question } = useRemoval(
    reports.map((report) => ({ ...report, name: nameOf(report) })),
    remove,
    {
      removed: (name) => t("removed", { name }),
      notRemoved: (name) => t("notRemoved", { name }),
    },
  );
  return (
    <>
      <PageHead heading={t("heading")} note={t("note")}>
        <AddReport {...formProps} create={create} />
      </PageHead>
      {shown.length > 0 ? (
        <ReportTable reports={shown} zone={zone} onEdit={setEdited} onRemove={ask} />
      ) : (
        <EmptyState icon={<Mail aria-hidden />} title={t("emptyTitle")}>
          {t("emptyText")}
        </EmptyState>
      )}
      <Dialog open={edited !== undefined} onOpenChange={(open) => open || setEdited(undefined)}>
        <DialogContent side="right" title={t("editTitle")}>
          {edited ? (
            <ReportForm
              {...formProps}
              edited={edited}
              save={(data) => edit(edited.id, data)}
              onDone={() => {
                setEdited(undefined);
                toast.success(t("saved"));
              }}
            />
          ) : null}
        </DialogContent>
      </Dialog>
      {question ? (
        <ConfirmDialog
          {...question.dialog}
          title={t("removeTitle", { name: question.thing.name })}
          action={t("remove")}
        >
          {t("removeText")}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

/** The subject of a report, also of one that was deleted. */
export function useReportName(subjects: readonly ReportSubject[]) {
  const t = useTranslations("emailReports");
  const names = new Map(subjects.map(({ value, name }) => [value, name]));
  return (report: EmailReport) => names.get(subjectOf(report)) ?? t("missingSubject");
}

function AddReport({ create, ...formProps }: ReportFormProps & Pick<ReportManagerProps, "create">) {
  const t = useTranslations("emailReports");
  const [open, setOpen] = useState(false);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button variant="solid">
          <Plus aria-hidden />
          {t("create")}
        </Button>
      </DialogTrigger>
      <DialogContent side="right" title={t("createTitle")}>
        <ReportForm
          {...formProps}
          save={create}
          onDone={() => {
            setOpen(false);
            toast.success(t("created"));
          }}
        />
      </DialogContent>
    </Dialog>
  );
}

type NamedReport = EmailReport & { name: string };

interface ReportTableProps {
  reports: readonly NamedReport[];
  zone: string;
  onEdit: (report: NamedReport) => void;
  onRemove: (report: NamedReport) => void;
}

function ReportTable({ reports, zone, onEdit, onRemove }: ReportTableProps) {
  const t = useTranslations("emailReports");
  const format = useFormatter();
  return (
    <DataTable
      caption={t("reports")}
      rows={reports}
      columns={[
        {
          heading: t("report"),
          cellClass: "max-w-44 py-2 sm:max-w-72",
          cell: ({ name, frequency, recipients }) => (
            <>
              <span className="block truncate font-medium">{name}</span>
              <span className="block text-ink-muted text-xs">{t(`frequencies.${frequency}`)}</span>
              <div className="mt-1 text-xs sm:hidden">
                <Recipients recipients={recipients} />
              </div>
            </>
          ),
        },
        {
          heading: t("recipients"),
          className: "hidden sm:table-cell",
          cellClass: "max-w-72 py-2",
          cell: ({ recipients }) => <Recipients recipients={recipients} />,
        },
        {
          heading: t("next"),
          className: "hidden md:table-cell",
          cellClass: "text-ink-muted",
          cell: ({ nextAt }) =>
            format.dateTime(new Date(nextAt), {
              dateStyle: "medium",
              timeStyle: "short",
              timeZone: zone,
            }),
        },
        {
          heading: t("actions"),
          silent: true,
          cellClass: "text-right",
          cell: (report) => (
            <span className="flex justify-end gap-1">
              <Button
                variant="ghost"
                size="sm"
                aria-label={t("editLabel", { name: report.name })}
                onClick={() => onEdit(report)}
              >
                {t("edit")}
              </Button>
              <Button
                variant="ghost"
                size="sm"
                aria-label={t("removeLabel", { name: report.name })}
                onClick={() => onRemove(report)}
              >
                {t("remove")}
              </Button>
            </span>
          ),
        },
      ]}
    />
  );
}

function Recipients({ recipients }: { recipients: readonly ReportRecipient[] }) {
  const t = useTranslations("emailReports");
  return (
    <ul className="grid gap-0.5">
      {recipients.map(({ userId, name, state }) => (
        <li key={userId ?? name} className="whitespace-normal [overflow-wrap:anywhere]">
          {name}
          {state === "active" ? null : (
            <span className="text-ink-muted text-xs"> · {t(`recipientStates.${state}`)}</span>
          )}
        </li>
      ))}
    </ul>
  );
}
