"use client";

import { Plus, Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { useCountryOptions } from "#components/forms/countries.ts";
import { Button } from "#components/ui/button";
import { Card } from "#components/ui/card";
import { InputField, SelectField } from "../ui/labeled.tsx";
import { anyCountry, type CampaignPartProps, nextOf, type PriceDraft } from "./campaign-draft.ts";
import { DraftField } from "./draft-fields.tsx";

export function SenderPart(props: CampaignPartProps) {
  const t = useTranslations("campaignForm");
  const isService = props.draft.kind === "service";
  return (
    <Card heading={t("sender")} note={t(isService ? "senderServiceNote" : "senderNote")}>
      <div className="grid gap-4 sm:grid-cols-2">
        <DraftField
          {...props}
          name="senderName"
          label={t("senderName")}
          hint={t("senderNameHint")}
          isOptional={isService}
        />
        <DraftField
          {...props}
          name="optOutText"
          label={t("optOutText")}
          hint={t("optOutTextHint")}
          placeholder={t("optOutTextExample")}
          isOptional={isService}
        />
        <DraftField
          {...props}
          name="consentSource"
          label={t("consentSource")}
          hint={t("consentSourceHint")}
          isOptional={isService}
        />
        <DraftField
          {...props}
          name="consentOn"
          label={t("consentOn")}
          type="date"
          isOptional={isService}
        />
      </div>
    </Card>
  );
}

export function PricesPart({ draft, change, errorOf }: CampaignPartProps) {
  const t = useTranslations("campaignForm");
  const countries = useCountryOptions();
  const options = [{ value: anyCountry, label: t("anyCountry") }, ...countries];
  const { prices } = draft;
  const isFree = (value: string) => !prices.some(({ country }) => country === value);
  const put = (id: number, changes: Partial<PriceDraft>) =>
    change({ prices: prices.map((one) => (one.id === id ? { ...one, ...changes } : one)) });
  const free = options.find(({ value }) => isFree(value));
  return (
    <Card heading={t("prices")} note={t("pricesNote")}>
      {prices.length > 0 ? (
        <DraftField
          draft={draft}
          change={change}
          errorOf={() => errorOf("prices.currency")}
          name="currency"
          label={t("currency")}
          placeholder={t("currencyExample")}
        />
      ) : null}
      {prices.map(({ id, country, price }) => {
        const { label = country } = options.find(({ value }) => value === country) ?? {};
        return (
          <div key={id} className="flex items-start gap-2">
            <SelectField
              label={t("priceCountry")}
              outerClass="min-w-0 flex-1 grid-cols-[minmax(0,1fr)]"
              options={options.filter(({ value }) => value === country || isFree(value))}
              value={country}
              onValueChange={(chosen) => put(id, { country: chosen })}
            />
            <InputField
              label={t("price")}
              error={errorOf(`prices.perPart.${country}`)}
              outerClass="w-24 sm:w-32"
              autoComplete="off"
              inputMode="decimal"
              placeholder="0.045"
              value={price}
              onChange={({ target }) => put(id, { price: target.value })}
            />
            <Button
              variant="ghost"
              size="icon"
              className="mt-7"
              aria-label={t("removePrice", { country: label })}
              onClick={() => change({ prices: prices.filter((one) => one.id !== id) })}
            >
              <Trash2 aria-hidden />
            </Button>
          </div>
        );
      })}
      {free ? (
        <Button
          className="justify-self-start"
          onClick={() =>
            change({ prices: [...prices, { id: nextOf(prices), country: free.value, price: "" }] })
          }
        >
          <Plus aria-hidden />
          {t("addPrice")}
        </Button>
      ) : null}
    </Card>
  );
}
