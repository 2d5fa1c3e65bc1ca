import { z } from "zod";
import { plainText } from "#lib/basics/fields/schema";

const nameCharsMax = 50;
export const titleCharsMax = 80;
const textCharsMax = 500;
const buttonCharsMax = 30;
export const consentCharsMax = 1_000;
const controllerCharsMax = 200;
export const fieldsMax = 8;
export const optionsMax = 20;
const optionCharsMax = 60;
const labelCharsMax = 200;
export const rememberDaysMax = 365;
const rememberDaysDefault = 180;
const urlCharsMax = 2_000;

function line(max: number) {
  return z
    .string()
    .trim()
    .normalize()
    .max(max, `Use at most ${max} characters.`)
    .regex(plainText, "Remove the control characters.");
}

const label = line(labelCharsMax).min(1, "Enter the text beside the field.");
const required = z.boolean().default(true).describe("Visitors can’t continue without it.");
const option = line(optionCharsMax).min(1, "Enter a text for each option.");

const webUrl = z
  .url({ protocol: /^https?$/, error: "Use a URL that starts with https://." })
  .max(urlCharsMax, `Use at most ${urlCharsMax} characters.`);

const formField = z
  .discriminatedUnion("type", [
    z.strictObject({ type: z.literal("phone"), required }),
    z.strictObject({ type: z.literal("email"), required }),
    z.strictObject({ type: z.literal("name"), required }),
    z.strictObject({
      type: z.literal("choice"),
      label,
      options: z
        .array(option)
        .min(2, "Add at least two options.")
        .max(optionsMax, `Use at most ${optionsMax} options.`)
        .refine((all) => new Set(all).size === all.length, "Two options are the same."),
      required,
    }),
    z.strictObject({
      type: z.literal("check"),
      label: label.describe("Such as “I am at least 18 years old”."),
      url: webUrl.optional().describe("A page to read, such as your terms."),
      required,
    }),
    z.strictObject({
      type: z.literal("wechat"),
      profile: z
        .boolean()
        .default(true)
        .describe(
          "true: name and picture, by a button; WeChat asks the visitor. false: the openid only, without a question.",
        ),
      required: z
        .literal(false)
        .default(false)
        .describe("Visitors can always continue without it."),
    }),
  ])
  .describe(
    "`phone`, `email`, `name` and `wechat` at most once each. `wechat` (the WeChat account of the visitor) is shown inside WeChat only, on domains that an official account has as callback domain.",
  );
export type FormField = z.output<typeof formField>;
export type FormFieldType = FormField["type"];

const onceOnly: readonly FormFieldType[] = ["phone", "email", "name", "wechat"];

const codeCountriesMax = 250;
const codeCountries = z
  .array(z.string().regex(/^[A-Z]{2}$/, "Use country codes with two letters, such as CN."))
  .max(codeCountriesMax, `Use at most ${codeCountriesMax} countries.`)
  .refine((all) => new Set(all).size === all.length, "Two countries are the same.")
  .describe(
    "The countries (ISO 3166-1) whose phone numbers get codes of `confirmPhone`. Empty: those of the workspace, by default the country of its time zone.",
  );

const contentShape = z.strictObject({
  title: line(titleCharsMax).min(1, "Enter a title.").describe("The heading of the page."),
  text: line(textCharsMax).describe("Below the title."),
  button: line(buttonCharsMax).describe(
    "The text of the button. Empty: “Continue” in the visitor’s language.",
  ),
  fields: z
    .array(formField)
    .min(1, "Add at least one field.")
    .max(fieldsMax, `Use at most ${fieldsMax} fields.`)
    .refine(
      (fields) =>
        onceOnly.every((type) => fields.filter((field) => field.type === type).length <= 1),
      "A form has at most one phone, one email, one name and one WeChat account.",
    ),
  consent: line(consentCharsMax).describe(
    "What visitors agree to: how you use their answers. Shown beside a box that they have to check.",
  ),
  marketing: line(textCharsMax).describe(
    "The text of an optional box for messages. Empty: no box.",
  ),
  controller: line(controllerCharsMax).describe(
    "Who is responsible for the answers: the name and address of your organization.",
  ),
  privacyUrl: z.union([z.literal(""), webUrl]).describe("Your privacy policy."),
  skip: z.boolean().describe("Visitors may continue without answering."),
  confirmPhone: z
    .boolean()
    .describe(
      "A code is sent to the phone number by SMS, and the answer counts once the visitor enters it. Needs a required phone number.",
    ),
  /** Older forms do not have it. */
  codeCountries: codeCountries.optional(),
  rememberDays: z
    .int()
    .min(1, "Use at least 1 day.")
    .max(rememberDaysMax, `Use at most ${rememberDaysMax} days.`)
    .describe("Number of days in which visitors who answered aren’t asked again by the same link."),
});
export type FormContent = z.output<typeof contentShape>;

const gatewayIdCharsMax = 64;

const ownShape = contentShape.extend({
  name: line(nameCharsMax)
    .min(1, "Enter a name.")
    .describe("Unique in the workspace. Visitors don’t see it."),
  published: z
    .boolean()
    .describe(
      "Links don’t show an unpublished form. A form that stores answers needs a consent, a controller and a privacy policy to be published.",
    ),
  gatewayId: z
    .string()
    .max(gatewayIdCharsMax)
    .nullable()
    .describe(
      "The SMS gateway that sends the codes of `confirmPhone`. null: codes are written to the server log instead, for testing. Setting a gateway requires `campaigns.write`.",
    ),
});
const { text, button, consent, marketing, controller, privacyUrl, skip, rememberDays } =
  ownShape.shape;
const { confirmPhone, published, gatewayId } = ownShape.shape;

export const newForm = ownShape.extend({
  text: text.default(""),
  button: button.default(""),
  consent: consent.default(""),
  marketing: marketing.default(""),
  controller: controller.default(""),
  privacyUrl: privacyUrl.default(""),
  skip: skip.default(false),
  rememberDays: rememberDays.default(rememberDaysDefault),
  confirmPhone: confirmPhone.default(false),
  codeCountries: codeCountries.default([]),
  gatewayId: gatewayId.default(null),
  published: published.default(false),
});
export type NewForm = z.output<typeof newForm>;

export const editForm = ownShape.partial();
export type EditForm = z.output<typeof editForm>;

export const formShape = z.object({
  id: z.string(),
  ...ownShape.shape,
  codeCountries,
  version: z.int().describe("Increases with each change of what visitors see."),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Form = z.output<typeof formShape>;

/** Whether answers are about a person. If so, they are stored and need consent. */
export function isPersonal({ fields }: { fields: readonly { type: FormFieldType }[] }): boolean {
  return fields.some(({ type }) => type !== "check");
}

/** What a form lacks before visitors may see it. */
export function findUnpublishable(content: FormContent) {
  if (!isPersonal(content)) return undefined;
  if (content.consent === "") {
    return { field: "consent", message: "Say what you use the answers for." };
  }
  if (content.controller === "") {
    return { field: "controller", message: "Name who is responsible for the answers." };
  }
  if (content.privacyUrl === "") {
    return { field: "privacyUrl", message: "Enter the URL of your privacy policy." };
  }
  if (content.confirmPhone && !asksForPhone(content)) {
    const message = "Add a required phone number, or turn off the code by SMS.";
    return { field: "confirmPhone", message };
  }
  return undefined;
}

/** A phone can only be confirmed if every answer has one. */
export function asksForPhone({
  fields,
}: {
  fields: readonly { type: FormFieldType; required: boolean }[];
}): boolean {
  return fields.some(({ type, required: isRequired }) => type === "phone" && isRequired);
}

export function wechatFieldOf({ fields }: Pick<FormContent, "fields">) {
  return fields.find((field) => field.type === "wechat");
}

/** A published form, as visitors see it. It is cached under its id. */
export interface ShownForm {
  id: string;
  pk: number;
  workspacePk: number;
  version: number;
  content: FormContent;
  personal: boolean;
}
