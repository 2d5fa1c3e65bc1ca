"use client";

import { BookmarkPlus } from "lucide-react";
import { useTranslations } from "next-intl";
import { type KeyboardEvent, useEffect, useState } from "react";
import { z } from "zod";
import { ApiError, callApi } from "#components/forms/call-api.ts";
import { Button } from "#components/ui/button";
import { Input } from "#components/ui/input";
import { Select } from "#components/ui/select";
import {
  nameCharsMax,
  parametersOf,
  type UtmTemplate,
  utmNames,
  utmTemplateShape,
  withParameters,
} from "#lib/links/utm/schema";

const none = "none";

interface UtmBarProps {
  workspace: string;
  url: string;
  onUrl: (url: string) => void;
}

export function UtmBar({ workspace, url, onUrl }: UtmBarProps) {
  const t = useTranslations("linkForm.utm");
  const [templates, setTemplates] = useState<UtmTemplate[]>([]);
  const [naming, setNaming] = useState(false);
  useEffect(() => {
    const abort = new AbortController();
    void callApi({ workspace, path: "/utm", signal: abort.signal })
      .then(async (answer) => setTemplates(z.array(utmTemplateShape).parse(await answer.json())))
      .catch(() => {}); // the five fields work without it
    return () => abort.abort();
  }, [workspace]);
  const utm = parametersOf(url);
  // A template without a referral matches any referral.
  const chosen = templates.find(
    (one) =>
      utmNames.every((name) => one[name] === (utm[name] || null)) &&
      (one.ref === null || one.ref === utm.ref),
  );
  const hasValues = utmNames.some((name) => utm[name]);

  function choose(id: string) {
    const template = templates.find((one) => one.id === id);
    if (!template) return;
    const { ref, ...others } = template;
    const values = Object.fromEntries(utmNames.map((name) => [name, others[name]]));
    onUrl(withParameters(url, { ...values, ref: ref ?? undefined }, "drop"));
  }

  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-2">
        {templates.length > 0 ? (
          <Select
            aria-label={t("template")}
            className="w-auto min-w-40 flex-1"
            options={[
              { value: none, label: t("noTemplate") },
              ...templates.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            value={chosen?.id ?? none}
            onValueChange={choose}
          />
        ) : null}
        {hasValues && !chosen && !naming ? (
          <Button size="sm" variant="ghost" onClick={() => setNaming(true)}>
            <BookmarkPlus aria-hidden />
            {t("keep")}
          </Button>
        ) : null}
      </div>
      {naming && !chosen ? (
        <NameField
          workspace={workspace}
          url={url}
          onKept={(template) => {
            setTemplates([...templates, template]);
            setNaming(false);
          }}
        />
      ) : null}
    </div>
  );
}

interface NameFieldProps {
  workspace: string;
  url: string;
  onKept: (template: UtmTemplate) => void;
}

function NameField({ workspace, url, onKept }: NameFieldProps) {
  const t = useTranslations("linkForm.utm");
  const errors = useTranslations("errors");
  const [name, setName] = useState("");
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string>();

  async function keep() {
    setPending(true);
    try {
      const body = { name, ...parametersOf(url) };
      const answer = await callApi({ workspace, path: "/utm", method: "POST", body });
      onKept(utmTemplateShape.parse(await answer.json()));
    } catch (problem) {
      setError(errors(messageOf(problem)));
      setPending(false);
    }
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    // This field acts as a form of its own.
    event.preventDefault();
    void keep();
  }

  return (
    <div className="grid gap-1">
      <div className="flex items-center gap-2">
        <Input
          aria-label={t("templateName")}
          placeholder={t("templateName")}
          maxLength={nameCharsMax}
          autoComplete="off"
          autoFocus
          value={name}
          onChange={({ target }) => setName(target.value)}
          onKeyDown={onKeyDown}
        />
        <Button pending={pending} onClick={() => void keep()}>
          {t("keepIt")}
        </Button>
      </div>
      <p role="alert" className="text-danger text-sm empty:hidden">
        {error}
      </p>
    </div>
  );
}

function messageOf(problem: unknown) {
  const status = problem instanceof ApiError ? problem.status : 0;
  if (status === 409) return "nameTaken";
  if (status === 422) return "utmName";
  return status === 403 ? "utmFull" : "serviceUnavailable";
}
