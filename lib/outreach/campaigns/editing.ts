/** Checks what a create or an edit of a campaign sets. */
import { AppError, invalidRequest } from "#lib/platform/errors";
import { isPhoneCountry } from "#lib/platform/phones";
import { problemsOf } from "./problems.ts";
import { type EditCampaign, type NewCampaign, onlyVariant, type Variant } from "./schema.ts";
import type { CampaignFields, CampaignRow } from "./store.ts";

export function fieldsOf(body: NewCampaign): CampaignFields {
  const fields: CampaignFields = {
    name: body.name,
    kind: body.kind,
    consent_source: body.consentSource ?? null,
    consent_on: body.consentOn ?? null,
    sender_name: body.senderName ?? null,
    opt_out_text: body.optOutText ?? null,
    link_scheme: body.linkScheme,
    default_country: body.defaultCountry,
    columns: body.columns,
    variants: variantsOf(body) ?? [],
    destination: body.destination,
    link: linkOf(body),
    link_days: body.linkDays ?? null,
    check_destination: body.checkDestination,
    prices: body.prices ?? null,
    people_days: body.personalDataDays,
  };
  assertValid(fields);
  return fields;
}

function variantsOf({ template, variants }: EditCampaign): Variant[] | undefined {
  if (template !== undefined && variants !== undefined) {
    const message = "Use either template or variants, not both.";
    throw invalidRequest([{ path: ["variants"], message }]);
  }
  return template === undefined ? variants : [{ name: onlyVariant, template, percentage: 100 }];
}

const linkNames = [
  "domain",
  "folderId",
  "tagIds",
  "utm_source",
  "utm_medium",
  "utm_campaign",
  "utm_term",
  "utm_content",
] as const;

function linkOf(body: EditCampaign): Record<string, unknown> {
  return Object.fromEntries(
    linkNames.flatMap((name) => (body[name] == null ? [] : [[name, body[name]]])),
  );
}

export function editedFields(row: CampaignRow, body: EditCampaign): CampaignFields {
  const given = <T>(value: T | undefined, before: T): T => (value === undefined ? before : value);
  const removed: readonly string[] = linkNames.filter((name) => body[name] === null);
  const link = Object.entries({ ...row.link, ...linkOf(body) });
  const fields: CampaignFields = {
    name: given(body.name, row.name),
    kind: given(body.kind, row.kind),
    consent_source: given(body.consentSource, row.consent_source),
    consent_on: given(body.consentOn, row.consent_on),
    sender_name: given(body.senderName, row.sender_name),
    opt_out_text: given(body.optOutText, row.opt_out_text),
    link_scheme: given(body.linkScheme, row.link_scheme),
    default_country: given(body.defaultCountry, row.default_country),
    columns: given(body.columns, row.columns),
    variants: given(variantsOf(body), row.variants),
    destination: given(body.destination, row.destination),
    link: Object.fromEntries(link.filter(([name]) => !removed.includes(name))),
    link_days: given(body.linkDays, row.link_days),
    check_destination: given(body.checkDestination, row.check_destination),
    prices: given(body.prices, row.prices),
    people_days: given(body.personalDataDays, row.people_days),
  };
  assertValid(fields);
  return fields;
}

/** Messages that exist do not depend on these fields. */
const alwaysEditable = ["name", "checkDestination", "personalDataDays"];

export function assertEditable({ last_position: last }: CampaignRow, body: EditCampaign): void {
  const fixed = Object.keys(body).find((name) => !alwaysEditable.includes(name));
  if (last === 0 || fixed === undefined) return;
  throw new AppError(
    "conflict",
    `${fixed}: This campaign has recipients, so only these can be changed: ${alwaysEditable.join(", ")}. To change anything else, create another campaign.`,
  );
}

function assertValid(fields: CampaignFields): void {
  const { kind, columns, variants, destination, default_country: country } = fields;
  const problems = problemsOf({
    ...{ kind, columns, variants, destination },
    senderName: fields.sender_name,
    optOutText: fields.opt_out_text,
    consentSource: fields.consent_source,
    consentOn: fields.consent_on,
  });
  if (!isPhoneCountry(country)) {
    const message = `"${country}" is unknown. Use a code such as CN.`;
    problems.push({ path: ["defaultCountry"], message });
  }
  if (problems.length > 0) throw invalidRequest(problems);
}
