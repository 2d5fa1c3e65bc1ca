import { Pause, Play } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useTransition } from "react";
import { type FormAnswer, useAction } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { ConfirmButton } from "#components/ui/confirm-dialog";
import { Progress } from "#components/ui/progress";
import { Table, TableCell, TableHead, TableRow } from "#components/ui/table";
import type { Gateway } from "#lib/outreach/gateway-accounts/schema";
import type { Sending } from "#lib/outreach/sending/schema";
import type { SendActions } from "./send-actions.ts";
import { SendFigure } from "./send-figure.tsx";
import { durationOf } from "./send-summary.tsx";

interface SendStatusProps {
  sending: Sending;
  recipients: number;
  gateways: readonly Gateway[];
  zone: string;
  actions: SendActions | null;
  isOn: boolean;
}

/** Fuxi’s own reasons; all others are codes of the gateway. */
const skipCodes = ["opted_out", "erased", "link_deleted"];

export function SendStatus(props: SendStatusProps) {
  const { sending, recipients, gateways, zone, actions, isOn } = props;
  const t = useTranslations("sending");
  const format = useFormatter();
  const { counts, state } = sending;
  const skipped = sending.codes
    .filter(({ state: of, code }) => of === "refused" && skipCodes.includes(code))
    .reduce((sum, { rows }) => sum + rows, 0);
  const noted = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const all = Math.max(recipients, noted);
  const settled =
    counts.accepted + counts.delivered + counts.failed + counts.refused + counts.unknown;
  const queued = all - settled;
  const figures = [
    ["queued", queued],
    ["sent", counts.accepted],
    ["delivered", counts.delivered],
    ["failed", counts.failed + counts.refused - skipped],
    ["unknown", counts.unknown],
    ["skipped", skipped],
  ] as const;
  const gateway = gateways.find(({ id }) => id === sending.gatewayId)?.name;
  return (
    <Card
      heading={t(`states.${state}`)}
      note={<Facts sending={sending} gateway={gateway} zone={zone} />}
      aside={
        actions ? <Controls state={state} counts={queued} actions={actions} isOn={isOn} /> : null
      }
    >
      {state === "paused" && sending.reason ? <PauseReason reason={sending.reason} /> : null}
      <Progress
        label={t("progress", {
          done: settled,
          all,
          percent: format.number(all > 0 ? settled / all : 0, {
            style: "percent",
            maximumFractionDigits: 0,
          }),
        })}
        share={all > 0 ? settled / all : 0}
      />
      <dl className="flex flex-wrap gap-x-8 gap-y-3">
        {figures.map(([name, count]) => (
          <SendFigure key={name} name={t(`figures.${name}`)} value={format.number(count)} />
        ))}
      </dl>
      {sending.pace && queued > 0 ? <SendPace pace={sending.pace} zone={zone} /> : null}
      {sending.codes.length > 0 ? <Codes codes={sending.codes} /> : null}
    </Card>
  );
}

interface FactsProps {
  sending: Sending;
  gateway: string | undefined;
  zone: string;
}

function Facts({ sending, gateway, zone }: FactsProps) {
  const t = useTranslations("sending");
  const format = useFormatter();
  const { state, startsAt, finishedAt, quietHours } = sending;
  const at = (moment: string) =>
    format.dateTime(new Date(moment), { dateStyle: "medium", timeStyle: "short", timeZone: zone });
  return (
    <>
      {state === "scheduled" && startsAt ? (
        <p>{t("startsAt", { at: at(startsAt), zone })}</p>
      ) : null}
      {state === "sending" ? <p>{t("mayLeave")}</p> : null}
      {finishedAt ? <p>{t("finishedAt", { at: at(finishedAt) })}</p> : null}
      {gateway ? <p>{t("with", { gateway })}</p> : null}
      {quietHours ? <p>{t("quietBetween", quietHours)}</p> : null}
    </>
  );
}

function PauseReason({ reason }: { reason: string }) {
  const t = useTranslations("sending");
  const known = (["gateway_deleted", "variable_unknown"] as const).find((one) => one === reason);
  return (
    <p role="alert" className="rounded-md bg-danger-soft px-3 py-2 text-danger text-sm">
      {known ? t(`pausedBy.${known}`) : t("pausedBy.other", { reason })}
    </p>
  );
}

interface ControlsProps {
  state: Sending["state"];
  /** Messages that are not sent yet. */
  counts: number;
  actions: SendActions;
  isOn: boolean;
}

function Controls({ state, counts, actions, isOn }: ControlsProps) {
  const t = useTranslations("sending");
  const runAction = useAction();
  const [pending, start] = useTransition();
  const run = (act: () => Promise<FormAnswer<null>>) =>
    start(async () => {
      await runAction(act);
    });
  const isOpen = state === "scheduled" || state === "sending";
  if (!isOpen && state !== "paused") return null;
  return (
    <div className="flex flex-wrap gap-2">
      {isOpen ? (
        <Button pending={pending} onClick={() => run(actions.pause)}>
          <Pause aria-hidden />
          {t("pause")}
        </Button>
      ) : (
        <Button
          variant="solid"
          pending={pending}
          disabled={!isOn}
          onClick={() => run(actions.resume)}
        >
          <Play aria-hidden />
          {t("resume")}
        </Button>
      )}
      <ConfirmButton
        className="text-danger"
        pending={pending}
        title={t("cancelTitle")}
        question={t("cancelText", { count: counts })}
        action={t("cancel")}
        onConfirm={() => run(actions.cancel)}
      >
        {t("cancel")}
      </ConfirmButton>
    </div>
  );
}

const knownCodes = ["opted_out", "erased", "link_deleted", "no_response", "unreachable"] as const;

function Codes({ codes }: Pick<Sending, "codes">) {
  const t = useTranslations("sending");
  const format = useFormatter();
  return (
    <Table caption={t("codes")}>
      <thead>
        <tr>
          <TableHead>{t("state")}</TableHead>
          <TableHead>{t("reason")}</TableHead>
          <TableHead className="text-right">{t("messages")}</TableHead>
        </tr>
      </thead>
      <tbody>
        {codes.map(({ state, code, rows }) => {
          const known = knownCodes.find((one) => one === code);
          return (
            <TableRow key={`${state} ${code}`}>
              <TableCell>{t(`messageStates.${state}`)}</TableCell>
              <TableCell>{known ? t(`codeNames.${known}`) : <code>{code}</code>}</TableCell>
              <TableCell className="text-right tabular-nums">{format.number(rows)}</TableCell>
            </TableRow>
          );
        })}
      </tbody>
    </Table>
  );
}

interface SendPaceProps {
  pace: NonNullable<Sending["pace"]>;
  zone: string;
}

/** The rate of the last minute, what limits it, and the time left. */
function SendPace({ pace, zone }: SendPaceProps) {
  const t = useTranslations("sending.pace");
  const duration = useTranslations("sending");
  const format = useFormatter();
  const { lastMinute, rate, limit, until, secondsLeft } = pace;
  const at = until ? format.dateTime(new Date(until), { timeStyle: "medium", timeZone: zone }) : "";
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-3">
      <SendFigure name={t("lastMinute")} value={t("messages", { count: lastMinute })} />
      <SendFigure name={t("limit")} value={t(`limits.${limit}`, { rate, at })} />
      <SendFigure name={t("left")} value={duration("atLeast", durationOf(secondsLeft))} />
    </dl>
  );
}
