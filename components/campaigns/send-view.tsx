"use client";

import { Download } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useState, useTransition } from "react";
import { callApi } from "#components/forms/call-api.ts";
import { runAction, useFormReason } from "#components/forms/form";
import { PrefetchLink } from "#components/shell/prefetch-link";
import { useVisibleInterval } from "#components/shell/visible-interval.ts";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { formatNames } from "#components/ui/export-menu";
import { FormError } from "#components/ui/form-error";
import { InputField, SelectField } from "#components/ui/labeled";
import type { Campaign, CampaignStatus, MessageColumn } from "#lib/outreach/campaigns/schema";
import type { Gateway } from "#lib/outreach/gateway-accounts/schema";
import {
  type Send,
  type Sending,
  sendingShape,
  type TestedMessage,
} from "#lib/outreach/sending/schema";
import type { SendActions } from "./send-actions.ts";
import { SendSetup } from "./send-setup.tsx";
import { SendStatus } from "./send-status.tsx";
import { SendUnknown } from "./send-unknown.tsx";

interface SendViewProps {
  workspace: string;
  campaign: Campaign;
  status: CampaignStatus;
  gateways: readonly Gateway[];
  unknown: readonly Send[];
  /** The domain of the links; null if it was deleted. */
  host: string | null;
  zone: string;
  /** False if administrators have turned sending off. */
  isOn: boolean;
  mayView: boolean;
  actions: SendActions | null;
}

const pollEveryMs = 2_000;

export function SendView(props: SendViewProps) {
  const { workspace, campaign, status, gateways, unknown, zone, isOn, mayView, actions } = props;
  const sending = useSending(workspace, campaign.id, status.sending);
  const noted = Object.values(sending.counts).reduce((sum, count) => sum + count, 0);
  const isStartable =
    sending.state === "draft" || (sending.state === "finished" && status.recipients > noted);
  return (
    <div className="grid max-w-3xl gap-4">
      {sending.state === "draft" ? null : (
        <SendStatus
          sending={sending}
          recipients={status.recipients}
          gateways={gateways}
          zone={zone}
          actions={actions}
          isOn={isOn}
        />
      )}
      {unknown.length > 0 ? (
        <SendUnknown
          messages={unknown}
          count={sending.counts.unknown}
          isCancelled={sending.state === "cancelled"}
          zone={zone}
          settle={actions?.settle ?? null}
        />
      ) : null}
      {isStartable && gateways.length === 0 ? <NoGateway workspace={workspace} /> : null}
      {isStartable && gateways.length > 0 && actions ? (
        <SendSetup {...props} sending={sending} actions={actions} />
      ) : null}
      {actions && mayView && isOn && gateways.length > 0 && status.recipients > 0 ? (
        <SendTest gateways={gateways} test={actions.test} />
      ) : null}
      <SendExport workspace={workspace} id={campaign.id} mayView={mayView} />
    </div>
  );
}

/** The state as of the last poll, or of a newer page. The page is reloaded when the state changes. */
function useSending(workspace: string, id: string, given: Sending): Sending {
  const router = useRouter();
  const [polled, setPolled] = useState({ given, shown: given });
  const sending = polled.given === given ? polled.shown : given;
  const isOpen = sending.state === "scheduled" || sending.state === "sending";
  useVisibleInterval(isOpen ? pollEveryMs : undefined, () => {
    const path = `/campaigns/${encodeURIComponent(id)}/sending`;
    callApi({ workspace, path })
      .then(async (response) => {
        const shown = sendingShape.parse(await response.json());
        setPolled({ given, shown });
        const isOther =
          shown.state !== sending.state || shown.counts.unknown !== sending.counts.unknown;
        if (isOther) router.refresh();
      })
      .catch(() => undefined); // the next poll reports it too
  });
  return sending;
}

function NoGateway({ workspace }: { workspace: string }) {
  const t = useTranslations("sending");
  return (
    <Card heading={t("noGateway")} note={t("noGatewayText")}>
      <div>
        <Button asChild>
          <PrefetchLink href={`/app/${workspace}/settings/gateways`}>
            {t("toGateways")}
          </PrefetchLink>
        </Button>
      </div>
    </Card>
  );
}

interface SendExportProps {
  workspace: string;
  id: string;
  mayView: boolean;
}

/** The columns in the order that gateways expect in a file. Undefined: all columns. */
const presets: Readonly<Record<string, readonly MessageColumn[] | undefined>> = {
  all: undefined,
  text: ["phone", "text"],
  textFirst: ["text", "phone"],
  numbered: ["messageId", "phone", "text"],
  template: ["phone", "code"],
};
const presetNames = ["all", "text", "textFirst", "numbered", "template"] as const;
const formats = ["csv", "xlsx", "jsonl"] as const;

/** Exports the messages as a file, for people who send them with another system. */
function SendExport({ workspace, id, mayView }: SendExportProps) {
  const t = useTranslations("sending");
  const [preset, setPreset] = useState("all");
  const [format, setFormat] = useState("csv");
  if (!mayView) {
    return <Card heading={t("export")} note={t("exportForbidden")} />;
  }
  const columns = presets[preset];
  const query = new URLSearchParams({
    workspace,
    format,
    ...(columns ? { columns: columns.join(",") } : {}),
  });
  return (
    <Card heading={t("export")} note={t("exportNote")}>
      <div className="grid items-end gap-4 sm:grid-cols-[2fr_1fr_auto]">
        <SelectField
          label={t("columns")}
          value={preset}
          onValueChange={setPreset}
          options={presetNames.map((name) => ({ value: name, label: t(`presets.${name}`) }))}
        />
        <SelectField
          label={t("format")}
          value={format}
          onValueChange={setFormat}
          options={formats.map((name) => ({ value: name, label: formatNames[name] }))}
        />
        <Button asChild className="h-9 pointer-coarse:h-11">
          <a href={`/api/campaigns/${encodeURIComponent(id)}/messages?${query}`} download>
            <Download aria-hidden />
            {t("exportMessages")}
          </a>
        </Button>
      </div>
    </Card>
  );
}

function SendTest({ gateways, test }: { gateways: readonly Gateway[]; test: SendActions["test"] }) {
  const t = useTranslations("sending");
  const reasonOf = useFormReason();
  const [gatewayId, setGatewayId] = useState(gateways[0]?.id ?? "");
  const [phone, setPhone] = useState("");
  const [messageId, setMessageId] = useState("");
  const [error, setError] = useState<string>();
  const [tested, setTested] = useState<TestedMessage>();
  const [pending, start] = useTransition();

  function submit(event: FormEvent) {
    event.preventDefault();
    const whose = messageId.trim();
    start(async () => {
      const answer = await runAction(() =>
        test({ gatewayId, phone: phone.trim(), ...(whose === "" ? {} : { messageId: whose }) }),
      );
      setTested(answer.ok ? answer.done : undefined);
      setError(answer.ok ? undefined : reasonOf(answer));
    });
  }

  return (
    <Card heading={t("test")} note={t("testNote")}>
      <form onSubmit={submit} className="grid gap-4" noValidate>
        <FormError>{error}</FormError>
        <div className="grid gap-4 sm:grid-cols-3">
          <SelectField
            label={t("testGateway")}
            outerClass="content-start"
            value={gatewayId}
            onValueChange={setGatewayId}
            options={gateways.map(({ id, name }) => ({ value: id, label: name }))}
          />
          <InputField
            label={t("phone")}
            hint={t("phoneHint")}
            outerClass="content-start"
            type="tel"
            autoComplete="tel"
            placeholder="+8613800138000"
            value={phone}
            onChange={({ target }) => setPhone(target.value)}
          />
          <InputField
            label={t("messageId")}
            hint={t("messageIdHint")}
            outerClass="content-start"
            autoComplete="off"
            value={messageId}
            onChange={({ target }) => setMessageId(target.value)}
          />
        </div>
        <div>
          <Button type="submit" pending={pending} disabled={phone.trim() === ""}>
            {t("sendTest")}
          </Button>
        </div>
      </form>
      <div role="status" className="grid gap-2 text-sm empty:hidden">
        {tested ? <TestOutcome tested={tested} /> : null}
      </div>
    </Card>
  );
}

function TestOutcome({ tested: { state, code, reason, text } }: { tested: TestedMessage }) {
  const t = useTranslations("sending");
  const answer = reason ?? code;
  return (
    <>
      <p className="font-medium">{t(`tested.${state}`)}</p>
      {answer ? <p className="break-words text-ink-muted">{t("answer", { answer })}</p> : null}
      <p className="whitespace-pre-wrap break-words rounded-md bg-sunken px-3 py-2">{text}</p>
    </>
  );
}
