"use client";

import { CircleAlert, CircleCheck } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState, useTransition } from "react";
import { type FormAnswer, useAction } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { Select } from "#components/ui/select";
import { camelOf } from "#lib/basics/variants/schema";
import type { Delivery, Webhook } from "#lib/outreach/webhooks/schema";
import { type WebhookEventType, webhookEventTypes } from "#lib/tenancy/webhook-events/schema";
import { CodeBlock } from "./code-block.tsx";

interface WebhookTestProps {
  webhook: Webhook;
  send: (type: WebhookEventType) => Promise<FormAnswer<string>>;
  read: (eventId: string) => Promise<FormAnswer<Delivery | null>>;
}

const askEveryMs = 1_000;
const askTimesMax = 20;

export function WebhookTest({ webhook, send, read }: WebhookTestProps) {
  const t = useTranslations("webhooks");
  const router = useRouter();
  const runAction = useAction();
  const [type, setType] = useState<WebhookEventType>(webhook.events[0] ?? "link.created");
  const [result, setResult] = useState<Delivery | "none">();
  const [pending, start] = useTransition();
  const isActive = webhook.state === "active";

  async function run(): Promise<void> {
    setResult(undefined);
    const sent = await runAction(() => send(type));
    if (!sent) return;
    for (let asked = 0; asked < askTimesMax; asked++) {
      await new Promise((done) => setTimeout(done, askEveryMs));
      const found = await runAction(() => read(sent.done));
      if (!found) return;
      if (!found.done?.lastAttempt) continue;
      setResult(found.done);
      return router.refresh();
    }
    setResult("none");
  }

  return (
    <Card heading={t("test")} note={t(isActive ? "testNote" : "testInactive")}>
      <div className="flex flex-wrap gap-2">
        <Select
          aria-label={t("testEvent")}
          className="w-auto min-w-52 max-w-full"
          value={type}
          onValueChange={(value) => setType(webhookEventTypes.find((one) => one === value) ?? type)}
          options={webhookEventTypes.map((value) => ({
            value,
            label: t(`events.${camelOf(value)}`),
          }))}
        />
        <Button
          className="h-9 pointer-coarse:h-11"
          pending={pending}
          disabled={!isActive}
          onClick={() => start(run)}
        >
          {t("send")}
        </Button>
      </div>
      <div role="status" className="grid gap-2 text-sm empty:hidden">
        {result === "none" ? <p>{t("testLate")}</p> : null}
        {typeof result === "object" ? <TestResult delivery={result} /> : null}
      </div>
    </Card>
  );
}

function TestResult({ delivery: { state, lastAttempt } }: { delivery: Delivery }) {
  const t = useTranslations("webhooks");
  if (!lastAttempt) return null;
  const { status, ms, response } = lastAttempt;
  const isDelivered = state === "delivered";
  const Icon = isDelivered ? CircleCheck : CircleAlert;
  return (
    <>
      <p className="flex gap-2">
        <Icon
          aria-hidden
          className={`mt-0.5 size-4 shrink-0 ${isDelivered ? "text-accent" : "text-danger"}`}
        />
        {t(isDelivered ? "testDelivered" : "testRefused", {
          answer: status === null ? t("noResponse") : t("status", { status: String(status) }),
          ms,
        })}
      </p>
      {response ? <CodeBlock label={t("response")} text={response} /> : null}
    </>
  );
}
