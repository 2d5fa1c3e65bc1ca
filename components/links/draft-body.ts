import { instantIn } from "#lib/basics/time/schema";
import type { Link } from "#lib/links/fields/schema";
import { type FormPart, formFields } from "#lib/links/link-columns/schema";
import { variantsAfter } from "#lib/links/utm/schema";
import { draftOf, type LinkDraft, type RuleDraft } from "./link-draft.ts";

export function newBodyOf(draft: LinkDraft): Record<string, unknown> {
  const { domain, key, prefix, keyLength, reuse } = draft;
  const developer = isOpen(draft, "developer");
  const isRandom = developer && key === "";
  const fields = bodyOf(withUtm(draft));
  const body = {
    ...fields,
    domain,
    key,
    prefix: isRandom ? prefix : "",
    keyLength: isRandom ? numberOf(keyLength) : null,
    reuse: developer && reuse ? true : null,
    webhookIds: webhooksOf(draft),
  };
  // An expiration that was opened but left empty means no expiration.
  const noExpiration =
    isOpen(draft, "schedule") && draft.expiresAt === "" ? { expiresAt: null } : {};
  // Empty fields of a new link are omitted, so that the defaults of its workspace apply.
  const given = Object.entries(body).filter(([, value]) => hasValue(value));
  // Off is a choice too: if the field were omitted, the setting of the workspace would apply.
  const forwardsNever = fields["forwardQuery"] === false ? { forwardQuery: false } : {};
  return {
    ...Object.fromEntries(given),
    ...forwardsNever,
    ...noExpiration,
    ...newRetirementOf(draft),
  };
}

function newRetirementOf(draft: LinkDraft): Record<string, unknown> {
  const retiresAt = retirementOf(draft);
  return retiresAt === "default" ? {} : { retiresAt };
}

function retirementOf(draft: LinkDraft): string | null {
  const chosen = isOpen(draft, "schedule") ? draft.retirement : "";
  if (chosen === "never") return null;
  // An empty date stays an empty text, so that it is refused instead of ignored.
  return chosen === "date" ? (instantIn(draft.zone, draft.retiresAt) ?? "") : "default";
}

function hasValue(value: unknown): boolean {
  return Array.isArray(value)
    ? value.length > 0
    : value !== null && value !== "" && value !== false;
}

/**
 * The body for an existing link. It only has what differs from `link` as it was when the form opened, so that two people who edit
 * a link at the same time keep each other’s changes. It therefore omits the seconds of a time, which the form does not show; the
 * date of a retired link, which would bring it back; and webhooks, because one may have been deleted in the meantime. A password
 * that was not entered stays.
 */
export function editBodyOf(draft: LinkDraft, link: Link): Record<string, unknown> {
  const before = draftOf(link, draft.zone);
  const was = editedOf(before);
  const now = editedOf(hasNewVariants(before, draft) ? withUtm(draft) : draft);
  const changed = Object.entries(now).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(was[name]),
  );
  return { ...Object.fromEntries(changed), ...changedPasswordOf(draft, link) };
}

function editedOf(draft: LinkDraft): Record<string, unknown> {
  const { password: _apart, ...fields } = bodyOf(draft);
  const retiresAt = retirementOf(draft);
  return { ...fields, key: draft.key, retiresAt, webhookIds: webhooksOf(draft) };
}

function changedPasswordOf(draft: LinkDraft, link: Link): Record<string, unknown> {
  if (!isOpen(draft, "password")) return link.password === null ? {} : { password: null };
  return draft.password === "" ? {} : { password: draft.password };
}

function webhooksOf(draft: LinkDraft): string[] {
  return isOpen(draft, "more") ? draft.webhookIds : [];
}

function hasNewVariants(before: LinkDraft, after: LinkDraft): boolean {
  const urls = (draft: LinkDraft) =>
    [draft.url, ...draft.variants.map(({ url }) => url)].join("\n");
  return urls(before) !== urls(after);
}

/** Adds the UTM parameters of the destination to the variants that were just typed and don’t have them yet. */
function withUtm(draft: LinkDraft): LinkDraft {
  return { ...draft, variants: variantsAfter(draft.variants, "", draft.url) };
}

function isOpen({ open }: LinkDraft, part: FormPart): boolean {
  return open.includes(part);
}

function bodyOf(draft: LinkDraft): Record<string, unknown> {
  const more = isOpen(draft, "more");
  const { url, tagIds, password, redirectStatus, forwardQuery } = draft;
  // A closed social preview keeps its texts.
  const kept = formFields.filter(({ form }) => form !== "card" || isOpen(draft, "card"));
  return {
    url,
    tagIds,
    ...plainBody(draft, kept),
    ...ownChoicesOf(draft),
    password: isOpen(draft, "password") && password !== "" ? password : null,
    insideApps: insideAppsOf(draft),
    proxy: isOpen(draft, "card"),
    redirectStatus:
      isOpen(draft, "developer") && redirectStatus !== "302" ? Number(redirectStatus) : null,
    forwardQuery: more && forwardQuery !== "" ? forwardQuery === "on" : null,
    disabled: more && draft.disabled,
  };
}

/** Writes each field according to its kind, and clears the fields of closed parts. */
function plainBody(draft: LinkDraft, fields: typeof formFields): Record<string, unknown> {
  const sentOf = ({ name, kind, form }: (typeof fields)[number]) => {
    const open = form === "base" || isOpen(draft, form);
    const value = draft[name];
    if (typeof value === "boolean") return open && value;
    if (!open || value === "") return null;
    if (kind === "moment") return instantIn(draft.zone, value);
    return kind === "count" ? numberOf(value) : value;
  };
  return Object.fromEntries(fields.map((field) => [field.name, sentOf(field)]));
}

/** The fields that choose between destinations. */
export function choicesOf(draft: LinkDraft): Record<string, unknown> {
  const fields = formFields.filter(({ form }) => form === "rules" || form === "test");
  return { ...plainBody(draft, fields), ...ownChoicesOf(draft) };
}

function ownChoicesOf(draft: LinkDraft): Record<string, unknown> {
  const { geo, variants } = draft;
  const rules = isOpen(draft, "rules");
  return {
    rules: rules && draft.rules.length > 0 ? draft.rules.map(ruleOf) : null,
    geo:
      rules && geo.length > 0 ? Object.fromEntries(geo.map(({ name, url }) => [name, url])) : null,
    testVariants:
      isOpen(draft, "test") && variants.length > 0
        ? variants.map(({ name, url }) => ({ url, percentage: numberOf(name) }))
        : null,
  };
}

function insideAppsOf(draft: LinkDraft): Record<string, unknown> | null {
  const { insideApps: open, canContinue } = draft;
  if (!isOpen(draft, "rules") || open === "") return null;
  if (open === "browser") return { open, canContinue };
  const { miniProgramId: appId, miniProgramPath: path, miniProgramQuery: query } = draft;
  return { open, path, appId, ...(query.trim() === "" ? {} : { query }), canContinue };
}

function ruleOf({ id: _id, time, url, ...conditions }: RuleDraft): Record<string, unknown> {
  const given = Object.entries(conditions).filter(([, values]) => values.length > 0);
  const days = (time?.days ?? []).map(Number).sort((a, b) => a - b);
  return {
    ...Object.fromEntries(given),
    ...(time ? { time: { ...time, days: days.length > 0 ? days : undefined } } : {}),
    url,
  };
}

function numberOf(text: string): number | string | null {
  if (text.trim() === "") return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}
