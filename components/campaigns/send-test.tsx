"use client";

import { useTranslations } from "next-intl";
import { type FormEvent, useState, useTransition } from "react";
import { runAction, useFormReason } from "#components/forms/form";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { FormError } from "#components/ui/form-error";
import { InputField, SelectField } from "#components/ui/labeled";
import type { Gateway } from "#lib/outreach/gateway-accounts/schema";
import type { TestedMessage } from "#lib/outreach/sending/schema";
import type { StartActions } from "./send-actions.ts";

interface SendTestProps {
  gateways: readonly Gateway[];
  test: StartActions["test"];
}

export function SendTest({ gateways, test }: SendTestProps) {
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
