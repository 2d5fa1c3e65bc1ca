"use client";

import { useTranslations } from "next-intl";
import { InputField } from "../ui/labeled.tsx";
import type { CampaignDraft, CampaignPartProps } from "./campaign-draft.ts";

type TextName = {
  [Name in keyof CampaignDraft]: CampaignDraft[Name] extends string ? Name : never;
}[keyof CampaignDraft];

interface DraftFieldProps extends Pick<CampaignPartProps, "draft" | "change" | "errorOf"> {
  name: TextName;
  label: string;
  hint?: string;
  isOptional?: boolean;
  type?: "text" | "date";
  inputMode?: "numeric" | "url";
  placeholder?: string;
  autoFocus?: boolean;
}

export function DraftField(props: DraftFieldProps) {
  const { draft, change, errorOf, name, label, hint, isOptional = false, ...input } = props;
  const common = useTranslations("common");
  return (
    <InputField
      label={label}
      error={errorOf(name)}
      outerClass="content-start"
      {...(hint ? { hint } : {})}
      {...(isOptional ? { optional: common("optional") } : {})}
      autoComplete="off"
      {...input}
      value={draft[name]}
      onChange={({ target }) => change({ [name]: target.value })}
    />
  );
}
