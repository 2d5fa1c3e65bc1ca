import { useFormatter, useTranslations } from "next-intl";
import { useState, useTransition } from "react";
import { useAction } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { Checkbox } from "#components/ui/checkbox";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { toast } from "#components/ui/toast";
import type { Send, Settle } from "#lib/outreach/sending/schema";
import type { SendActions } from "./send-actions.ts";

interface SendUnknownProps {
  messages: readonly Send[];
  count: number;
  isCancelled: boolean;
  zone: string;
  settle: SendActions["settle"] | null;
}

/** Messages that may have been sent. A person looks them up at the gateway and decides. */
export function SendUnknown({ messages, count, isCancelled, zone, settle }: SendUnknownProps) {
  const t = useTranslations("sending");
  const format = useFormatter();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const ids = messages.map(({ messageId }) => messageId);
  const selected = ids.filter((id) => chosen.has(id));
  const toggle = (id: string, on: boolean) =>
    setChosen((before) => new Set(on ? [...before, id] : [...before].filter((one) => one !== id)));
  return (
    <Card heading={t("unknownHeading", { count })} note={t("unknownNote")}>
      <div className="grid gap-2">
        {settle ? (
          <Checkbox
            label={t("selectAll", { count: ids.length })}
            checked={selected.length === ids.length}
            onCheckedChange={(on) => setChosen(new Set(on === true ? ids : []))}
          />
        ) : null}
        <ul
          aria-label={t("unknownList")}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable from the keyboard
          tabIndex={0}
          className="max-h-72 divide-y divide-line overflow-y-auto rounded-lg border border-line"
        >
          {messages.map(({ messageId, attemptedAt, code }) => (
            <li
              key={messageId}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-3 py-2 text-sm"
            >
              {settle ? (
                <Checkbox
                  label={messageId}
                  checked={chosen.has(messageId)}
                  onCheckedChange={(on) => toggle(messageId, on === true)}
                />
              ) : (
                <span>{messageId}</span>
              )}
              <span className="text-ink-muted">
                {attemptedAt
                  ? format.dateTime(new Date(attemptedAt), {
                      dateStyle: "medium",
                      timeStyle: "medium",
                      timeZone: zone,
                    })
                  : null}
                {code === "no_response" ? ` · ${t("codeNames.no_response")}` : null}
                {code !== null && code !== "no_response" ? ` · ${code}` : null}
              </span>
            </li>
          ))}
        </ul>
        {count > ids.length ? (
          <p className="text-ink-muted text-sm">
            {t("unknownMore", { count: count - ids.length })}
          </p>
        ) : null}
      </div>
      {settle ? (
        <SettleButtons
          ids={selected}
          isCancelled={isCancelled}
          settle={settle}
          onDone={() => setChosen(new Set())}
        />
      ) : null}
    </Card>
  );
}

interface SettleButtonsProps {
  ids: string[];
  isCancelled: boolean;
  settle: SendActions["settle"];
  onDone: () => void;
}

function SettleButtons({ ids, isCancelled, settle, onDone }: SettleButtonsProps) {
  const t = useTranslations("sending");
  const runAction = useAction();
  const [asking, setAsking] = useState(false);
  const [pending, start] = useTransition();
  const run = (as: Settle["as"]) =>
    start(async () => {
      const answer = await runAction(() => settle({ messageIds: ids, as }));
      if (!answer) return;
      toast.success(t(`settled.${as}`, { count: answer.done.settled }));
      onDone();
    });
  const count = ids.length;
  return (
    <div className="flex flex-wrap gap-2">
      <Button pending={pending} disabled={count === 0} onClick={() => run("sent")}>
        {t("markSent")}
      </Button>
      {isCancelled ? null : (
        <Button pending={pending} disabled={count === 0} onClick={() => setAsking(true)}>
          {t("sendAgain")}
        </Button>
      )}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t("againTitle", { count })}
        action={t("sendAgain")}
        onConfirm={() => run("again")}
      >
        {t("againText")}
      </ConfirmDialog>
    </div>
  );
}
