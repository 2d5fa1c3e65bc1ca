import { countriesOf, countriesText } from "#components/forms/country-codes.ts";
import {
  asksForPhone,
  type Form,
  type FormContent,
  type FormField,
  type FormFieldType,
} from "#lib/audience/forms/schema";

export interface FieldDraft {
  id: number;
  type: FormFieldType;
  required: boolean;
  label: string;
  options: string;
  url: string;
  profile: boolean;
}

export type FormDraft = Omit<FormContent, "fields" | "rememberDays" | "codeCountries"> & {
  codeCountries: string;
  published: boolean;
  gatewayId: string | null;
  fields: FieldDraft[];
  rememberDays: string;
};

export const fieldTypes = ["phone", "email", "name", "choice", "check", "wechat"] as const;
const onceOnly: readonly FormFieldType[] = ["phone", "email", "name", "wechat"];

export const isOnceOnly = (type: FormFieldType) => onceOnly.includes(type);

export function newField(type: FormFieldType, id: number): FieldDraft {
  const required = type !== "wechat";
  return { id, type, required, label: "", options: "", url: "", profile: true };
}

export function draftOf(form: Form | null): FormDraft {
  if (!form) {
    return {
      title: "",
      text: "",
      button: "",
      fields: [newField("phone", 0)],
      consent: "",
      marketing: "",
      controller: "",
      privacyUrl: "",
      skip: false,
      rememberDays: "180",
      confirmPhone: false,
      codeCountries: "",
      gatewayId: null,
      published: true,
    };
  }
  const { title, text, button, consent, marketing, controller, privacyUrl, skip } = form;
  const { confirmPhone, gatewayId, published } = form;
  return {
    ...{ title, text, button, consent, marketing, controller, privacyUrl, skip },
    ...{ confirmPhone, gatewayId, published },
    codeCountries: countriesText(form.codeCountries),
    fields: form.fields.map(fieldDraftOf),
    rememberDays: String(form.rememberDays),
  };
}

function fieldDraftOf(field: FormField, id: number): FieldDraft {
  const { type, required } = field;
  const empty = { ...newField(type, id), required };
  if (field.type === "choice") {
    return { ...empty, label: field.label, options: field.options.join("\n") };
  }
  if (field.type === "check") return { ...empty, label: field.label, url: field.url ?? "" };
  if (field.type === "wechat") return { ...empty, profile: field.profile };
  return empty;
}

export const presetNames = ["phone", "email", "age", "terms"] as const;
export type PresetName = (typeof presetNames)[number];

const presetFields: Readonly<Record<PresetName, FormFieldType>> = {
  phone: "phone",
  email: "email",
  age: "check",
  terms: "check",
};

/** What a preset replaces in the editor. `label` is the label of its checkbox. */
export function presetOf(
  name: PresetName,
  {
    title,
    text,
    button,
    label,
  }: Pick<FormContent, "title" | "text" | "button"> & { label: string },
): Partial<FormDraft> {
  const field = newField(presetFields[name], 0);
  const fields = [field.type === "check" ? { ...field, label } : field];
  const off = { confirmPhone: false, codeCountries: "", gatewayId: null };
  return { title, text, button, fields, ...off };
}

/** The body of the API, without the name. */
export function bodyOf({ fields, rememberDays, ...rest }: FormDraft): Record<string, unknown> {
  // This setting is hidden unless a phone is required.
  const confirmPhone = rest.confirmPhone && asksForPhone({ fields });
  return {
    ...rest,
    confirmPhone,
    codeCountries: confirmPhone ? countriesOf(rest.codeCountries) : [],
    gatewayId: confirmPhone ? rest.gatewayId : null,
    fields: fields.map(fieldOf),
    rememberDays: Number(rememberDays),
  };
}

function fieldOf({
  type,
  required,
  label,
  options,
  url,
  profile,
}: FieldDraft): Record<string, unknown> {
  switch (type) {
    case "choice": {
      const lines = options.split("\n").map((line) => line.trim());
      return { type, required, label, options: lines.filter((line) => line !== "") };
    }
    case "check":
      return { type, required, label, ...(url.trim() === "" ? {} : { url: url.trim() }) };
    case "wechat":
      return { type, required: false, profile };
    default:
      return { type, required };
  }
}
