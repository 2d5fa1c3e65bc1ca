import { CircleAlert, TriangleAlert } from "lucide-react";
import { useRouter } from "next/navigation";
import { useFormatter, useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useRef, useState, useTransition } from "react";
import { type FormFailure, runAction, useAction, useFormReason } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { Choice } from "#components/ui/choice";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { CopyButton } from "#components/ui/copy-button";
import { Switch } from "#components/ui/switch";
import { toast } from "#components/ui/toast";
import { instantIn, type Preset, presetDays } from "#lib/basics/time/schema";
import type { Campaign } from "#lib/outreach/campaigns/schema";
import { type Gateway, rateDefault, rateMax } from "#lib/outreach/gateway-accounts/schema";
import { type GatewayTemplate, kindOf } from "#lib/outreach/gateways/schema";
import type { DryRun, StartSending } from "#lib/outreach/sending/schema";
import { InputField, SelectField } from "../ui/labeled.tsx";
import type { CheckProps, StartActions } from "./send-actions.ts";
import { moneyOf } from "./send-figure.tsx";
import { SendSummary } from "./send-summary.tsx";
import { templateTextOf } from "./send-template-text.ts";

interface SendSetupProps extends Omit<CheckProps, "actions"> {
  actions: StartActions;
}

interface SendDraft {
  gatewayId: string;
  rate: string;
  when: "now" | "later";
  at: string;
  quiet: boolean;
  from: string;
  until: string;
}

function firstDraft({ gateways, status: { sending } }: SendSetupProps): SendDraft {
  const known = gateways.find(({ id }) => id === sending.gatewayId) ?? gateways[0];
  return {
    gatewayId: known?.id ?? "",
    rate: String(sending.rate ?? known?.rate ?? rateDefault),
    when: "now",
    at: "",
    quiet: sending.state === "draft" || sending.quietHours !== null,
    from: sending.quietHours?.from ?? "21:00",
    until: sending.quietHours?.until ?? "08:00",
  };
}

function bodyOf(draft: SendDraft, zone: string): StartSending {
  const at = draft.when === "later" ? (instantIn(zone, draft.at) ?? "") : undefined;
  return {
    gatewayId: draft.gatewayId,
    rate: Number(draft.rate),
    ...(at === undefined ? {} : { at }),
    ...(draft.quiet ? { quietHours: { from: draft.from, until: draft.until } } : {}),
  };
}

export function SendSetup(props: SendSetupProps) {
  const { campaign, status, gateways, host, zone, isOn, actions } = props;
  const t = useTranslations("sending");
  const [draft, setDraft] = useState(() => firstDraft(props));
  const change = (part: Partial<SendDraft>) => setDraft((before) => ({ ...before, ...part }));
  const check = useCheck(actions.tryStart, bodyOf(draft, zone));
  const errorOf = (name: string) => check.failure?.said?.fields?.[name];
  const gateway = gateways.find(({ id }) => id === draft.gatewayId);
  const smsTemplate = gateway && kindOf(gateway.settings).templateOf?.(gateway.settings);
  return (
    <Card heading={t("setup")} note={t("setupNote")}>
      <GatewayFields gateways={gateways} draft={draft} change={change} error={errorOf("rate")} />
      {smsTemplate ? (
        <SendTemplate campaign={campaign} smsTemplate={smsTemplate} host={host} />
      ) : null}
      <Choice
        label={t("when")}
        name="when"
        value={draft.when}
        onValueChange={(when) => change({ when })}
        options={[
          { value: "now", label: t("now") },
          { value: "later", label: t("later") },
        ]}
      />
      {draft.when === "later" ? (
        <SendTime
          value={draft.at}
          onValue={(at) => change({ at })}
          zone={zone}
          error={errorOf("at")}
        />
      ) : null}
      <QuietFields draft={draft} change={change} zone={zone} error={errorOf("quietHours")} />
      <div aria-live="polite" aria-busy={check.pending} className="grid gap-3">
        {check.reason ? (
          <p className="flex gap-2 rounded-md bg-danger-soft px-3 py-2 text-danger text-sm">
            <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            {check.reason}
          </p>
        ) : null}
        {check.pending ? <p className="text-ink-muted text-sm">{t("checking")}</p> : null}
        {check.result ? (
          <SendSummary
            campaign={campaign}
            status={status}
            result={check.result}
            rate={gateway ? Math.min(Number(draft.rate), gateway.rate) : 0}
          />
        ) : null}
      </div>
      <StartButton
        {...props}
        draft={draft}
        result={check.result}
        disabled={!isOn || check.pending || !check.result || check.result.messages === 0}
      />
    </Card>
  );
}

interface GatewayFieldsProps {
  gateways: readonly Gateway[];
  draft: SendDraft;
  change: (part: Partial<SendDraft>) => void;
  error: string | undefined;
}

function GatewayFields({ gateways, draft, change, error }: GatewayFieldsProps) {
  const t = useTranslations("sending");
  const gateway = gateways.find(({ id }) => id === draft.gatewayId);
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        label={t("gateway")}
        outerClass="content-start"
        value={draft.gatewayId}
        onValueChange={(gatewayId) => change({ gatewayId })}
        options={gateways.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <InputField
        outerClass="content-start"
        label={t("rate")}
        hint={gateway ? t("rateHint", { rate: gateway.rate }) : undefined}
        error={error}
        type="number"
        inputMode="numeric"
        min={1}
        max={rateMax}
        value={draft.rate}
        onChange={({ target }) => change({ rate: target.value })}
      />
    </div>
  );
}

const settledMs = 400;

/** A dry run of the form’s values, once they stop changing. */
function useCheck(tryStart: StartActions["tryStart"], body: StartSending) {
  const reasonOf = useFormReason();
  const [answer, setAnswer] = useState<{ key: string; result?: DryRun; failure?: FormFailure }>();
  const key = JSON.stringify(body);
  const last = useRef(key);
  const run = useEffectEvent(async () => {
    last.current = key;
    const given = await runAction(() => tryStart(body));
    if (last.current !== key) return;
    setAnswer(given.ok ? { key, result: given.done } : { key, failure: given });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the body as a text
  useEffect(() => {
    const timer = setTimeout(() => void run(), settledMs);
    return () => clearTimeout(timer);
  }, [key]);
  const isCurrent = answer?.key === key;
  const failure = isCurrent ? answer.failure : undefined;
  return {
    pending: !isCurrent,
    result: isCurrent ? answer.result : undefined,
    failure,
    reason: failure?.form ? reasonOf(failure) : undefined,
  };
}

interface QuietFieldsProps {
  draft: SendDraft;
  change: (part: Partial<SendDraft>) => void;
  zone: string;
  error: string | undefined;
}

function QuietFields({ draft, change, zone, error }: QuietFieldsProps) {
  const t = useTranslations("sending");
  return (
    <div className="grid gap-3">
      <Switch
        label={t("quiet")}
        hint={t("quietHint", { zone })}
        checked={draft.quiet}
        onCheckedChange={(quiet) => change({ quiet })}
      />
      {draft.quiet ? (
        <div className="grid max-w-sm grid-cols-2 gap-3">
          {(["from", "until"] as const).map((name) => (
            <InputField
              key={name}
              label={t(`quietFields.${name}`)}
              error={name === "from" ? error : undefined}
              type="time"
              value={draft[name]}
              onChange={({ target }) => change({ [name]: target.value })}
            />
          ))}
        </div>
      ) : null}
    </div>
  );
}

interface StartButtonProps extends SendSetupProps {
  draft: SendDraft;
  result: DryRun | undefined;
  disabled: boolean;
}

function StartButton(props: StartButtonProps) {
  const { workspace, campaign, actions, gateways, draft, zone, result, disabled } = props;
  const t = useTranslations("sending");
  const format = useFormatter();
  const router = useRouter();
  const runNow = useAction();
  const [asking, setAsking] = useState(false);
  const [pending, start] = useTransition();
  const gateway = gateways.find(({ id }) => id === draft.gatewayId)?.name ?? "";
  const body = bodyOf(draft, zone);
  const count = result?.messages ?? 0;
  const isLater = body.at !== undefined;
  const confirm = () =>
    start(async () => {
      if (await runNow(() => actions.start(body))) {
        toast.success(t(isLater ? "scheduledToast" : "startedToast"));
        router.push(`/app/${workspace}/campaigns/${campaign.id}/send`);
      }
    });
  const label = t(isLater ? "schedule" : "start", { count });
  return (
    <>
      <div>
        <Button
          variant="solid"
          size="lg"
          pending={pending}
          disabled={disabled}
          onClick={() => setAsking(true)}
        >
          {label}
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t("confirmTitle", { count })}
        action={t(isLater ? "confirmLater" : "confirmNow")}
        onConfirm={confirm}
      >
        <p>
          {t("confirmText", { count, parts: result?.parts ?? 0, gateway })}{" "}
          {result?.cost && result.currency
            ? t("confirmCost", { cost: moneyOf(format, result.cost, result.currency) })
            : t("confirmNoCost")}
        </p>
        {body.at ? (
          <p className="mt-2">
            {t("confirmAt", {
              at: format.dateTime(new Date(body.at), {
                dateStyle: "medium",
                timeStyle: "short",
                timeZone: zone,
              }),
              zone,
            })}
          </p>
        ) : null}
        <p className="mt-2 flex gap-2">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {t("confirmFinal")}
        </p>
      </ConfirmDialog>
    </>
  );
}

interface SendTemplateProps {
  campaign: Campaign;
  smsTemplate: GatewayTemplate;
  host: string | null;
}

/** The text that the provider has to approve before the campaign is sent with its template. */
function SendTemplate({ campaign, smsTemplate, host }: SendTemplateProps) {
  const t = useTranslations("sending");
  const { kind, variants, linkScheme } = campaign;
  const options = { host: host ?? "…", linkScheme, variables: smsTemplate.variables };
  return (
    <section
      aria-label={t("template")}
      className="grid gap-3 rounded-lg border border-line p-4 text-sm"
    >
      <div className="grid gap-1">
        <h3 className="font-medium">{t("template")}</h3>
        <p className="text-ink-muted">
          {t("templateNote", { code: smsTemplate.code, sign: smsTemplate.signature })}
        </p>
        {kind === "marketing" ? <p className="text-ink-muted">{t("templateMarketing")}</p> : null}
        {variants.length > 1 ? <p className="text-ink-muted">{t("templateVariants")}</p> : null}
      </div>
      {variants.map(({ name, template }) => {
        const { text, missing } = templateTextOf(template, options);
        return (
          <div key={name} className="grid gap-1.5">
            <div className="flex min-w-0 items-start gap-1 rounded-md bg-sunken py-1.5 pr-1 pl-3">
              <p className="min-w-0 flex-1 whitespace-pre-wrap break-words py-0.5">{text}</p>
              <CopyButton text={text} label={t("copyTemplate", { name })} />
            </div>
            {missing.length > 0 ? (
              <p className="text-danger">
                {t("templateMissing", {
                  names: missing.map((one) => (one === "link" ? "{code}" : `{${one}}`)).join(", "),
                })}
              </p>
            ) : null}
          </div>
        );
      })}
    </section>
  );
}

interface SendTimeProps {
  value: string;
  onValue: (value: string) => void;
  zone: string;
  error: string | undefined;
}

const presets: readonly Preset[] = ["tomorrow", "week"];
/** A time at which people are awake and read messages. */
const presetTime = "10:00";

function SendTime({ value, onValue, zone, error }: SendTimeProps) {
  const t = useTranslations("sending");
  const words = useTranslations("linkForm.presets");
  const days = presetDays(zone, Date.now());
  return (
    <div className="grid gap-2">
      <InputField
        label={t("startAt")}
        hint={words("zone", { zone })}
        error={error}
        type="datetime-local"
        autoComplete="off"
        className="max-w-xs"
        value={value}
        onChange={({ target }) => onValue(target.value)}
      />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be announced with the field above */}
      <div
        role="group"
        aria-label={words("label", { field: t("startAt") })}
        className="flex flex-wrap gap-1"
      >
        {presets.map((preset) => {
          const own = `${days[preset]}T${presetTime}`;
          return (
            <Button
              key={preset}
              size="sm"
              aria-pressed={own === value}
              onClick={() => onValue(own)}
            >
              {words(preset)} {presetTime}
            </Button>
          );
        })}
      </div>
    </div>
  );
}
