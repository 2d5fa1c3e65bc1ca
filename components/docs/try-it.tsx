"use client";

import { Send } from "lucide-react";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { Button } from "#components/ui/button";
import { InputField, TextareaField } from "../ui/labeled.tsx";
import { CodeBlock } from "./samples.tsx";

interface TryItProps {
  method: string;
  path: string;
  parameters: { name: string; in: "path" | "query" | "header"; required: boolean }[];
  example: string | undefined;
}

interface TryItAnswer {
  status: number;
  statusText: string;
  text: string;
  ms: number;
}

/** Sends the call to this instance. The key stays in the page: it is never stored or put into a URL. */
export function TryIt({ method, path, parameters, example }: TryItProps) {
  const t = useTranslations("reference");
  const [pending, setPending] = useState(false);
  const [answer, setAnswer] = useState<TryItAnswer>();
  const [failed, setFailed] = useState(false);

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setPending(true);
    setFailed(false);
    try {
      setAnswer(await sendCall(method, path, parameters, form));
    } catch {
      setFailed(true);
    }
    setPending(false);
  }

  return (
    <form onSubmit={(event) => void send(event)} className="grid gap-4">
      <InputField
        label={t("key")}
        hint={t("keyHint")}
        name="key"
        type="password"
        autoComplete="off"
        required
      />
      {parameters.map(({ name, required }) => (
        <InputField
          key={name}
          label={name}
          {...(required ? {} : { optional: t("optional") })}
          name={`parameter ${name}`}
          required={required}
        />
      ))}
      {example === undefined ? null : (
        <TextareaField
          label={t("body")}
          name="body"
          rows={8}
          defaultValue={example}
          spellCheck={false}
          className="font-mono text-sm"
        />
      )}
      <div>
        <Button type="submit" variant="solid" disabled={pending}>
          <Send aria-hidden />
          {t("send")}
        </Button>
      </div>
      <div role="status" className="grid gap-2 empty:hidden">
        {failed ? <p className="text-danger text-sm">{t("unreachable")}</p> : null}
        {answer && !failed ? <AnswerView answer={answer} /> : null}
      </div>
    </form>
  );
}

function AnswerView({ answer }: { answer: TryItAnswer }) {
  const t = useTranslations("reference");
  return (
    <>
      <p className="text-sm tabular-nums">
        <strong className="font-medium">
          {answer.status} {answer.statusText}
        </strong>{" "}
        <span className="text-ink-muted">{t("took", { ms: answer.ms })}</span>
      </p>
      <CodeBlock text={answer.text} label={t("answer")} />
    </>
  );
}

async function sendCall(
  method: string,
  path: string,
  parameters: TryItProps["parameters"],
  form: FormData,
): Promise<TryItAnswer> {
  const textOf = (name: string) => String(form.get(name) ?? "");
  const given = parameters
    .map((parameter) => ({ ...parameter, value: textOf(`parameter ${parameter.name}`) }))
    .filter(({ value }) => value !== "");
  const query = new URLSearchParams();
  const headers = new Headers({ Authorization: `Bearer ${textOf("key")}` });
  let address = path;
  for (const { name, in: place, value } of given) {
    if (place === "path") address = address.replace(`{${name}}`, encodeURIComponent(value));
    if (place === "query") query.set(name, value);
    if (place === "header") headers.set(name, value);
  }
  const body = textOf("body");
  if (body !== "") headers.set("Content-Type", "application/json");
  const started = performance.now();
  const response = await fetch(query.size > 0 ? `${address}?${query}` : address, {
    method,
    headers,
    ...(body === "" ? {} : { body }),
  });
  const text = await readableBody(response);
  const ms = Math.round(performance.now() - started);
  return { status: response.status, statusText: response.statusText, text, ms };
}

async function readableBody(response: Response): Promise<string> {
  const type = response.headers.get("content-type") ?? "";
  if (!type.includes("json")) return `${type}, ${(await response.blob()).size} bytes`;
  return JSON.stringify(await response.json(), null, 2);
}
