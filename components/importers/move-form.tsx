"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { FormError } from "#components/ui/form-error";
import { Switch } from "#components/ui/switch";
import {
  hostedSystems,
  type SystemName,
  slowClickSystems,
  systemLabels,
  systems,
} from "#lib/transfer/importers/schema";
import { InputField, SelectField } from "../ui/labeled.tsx";
import { createImporter } from "./importer-calls.ts";
import { useImporterMessages } from "./problem-messages.ts";

const options = systems.map((value) => ({ value, label: systemLabels[value] }));

export function MoveForm({ workspace }: { workspace: string }) {
  const t = useTranslations("importers");
  const { sayError } = useImporterMessages();
  const router = useRouter();
  const [system, setSystem] = useState<SystemName>(systems[0]);
  const [token, setToken] = useState("");
  const [address, setAddress] = useState("");
  const [clicks, setClicks] = useState(true);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string>();
  const isHosted = hostedSystems.includes(system);

  function submit(event: FormEvent) {
    event.preventDefault();
    setPending(true);
    setError(undefined);
    const body = { system, token, clicks, ...(isHosted ? { address } : {}) };
    createImporter(workspace, body).then(
      ({ id }) => router.push(`/app/${workspace}/imports/move/${id}`),
      (refused: Error) => {
        setPending(false);
        setError(sayError(refused));
      },
    );
  }

  return (
    <form onSubmit={submit}>
      <Card heading={t("connect")}>
        <SelectField
          label={t("system")}
          options={options}
          value={system}
          onValueChange={(value) => setSystem(systems.find((one) => one === value) ?? system)}
        />
        {isHosted ? (
          <InputField
            label={t("address")}
            hint={t("addressHint")}
            type="url"
            required
            autoComplete="off"
            value={address}
            onChange={(event) => setAddress(event.target.value)}
          />
        ) : null}
        <InputField
          label={t("token")}
          hint={
            <>
              <span className="block">{t(`tokenHints.${system}`)}</span>
              <span className="block">{t("tokenNote")}</span>
            </>
          }
          type="password"
          required
          autoComplete="off"
          spellCheck={false}
          value={token}
          onChange={(event) => setToken(event.target.value)}
        />
        <Switch
          label={t("clicks")}
          hint={slowClickSystems.includes(system) ? t("clicksBitly") : t("clicksHint")}
          checked={clicks}
          onCheckedChange={setClicks}
        />
        <FormError>{error}</FormError>
        <div>
          <Button type="submit" variant="solid" size="lg" pending={pending}>
            {t("start")}
          </Button>
        </div>
      </Card>
    </form>
  );
}
