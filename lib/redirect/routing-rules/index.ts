/** Chooses between the destinations of a link, for visits and for `tryVisit`. */
import type { TargetExtras } from "#lib/links/link-cache";
import type { TestVariants } from "#lib/links/link-cache/schema";
import { parseAgent } from "#lib/platform/request-info";
import { type CompiledRule, compileRule, ruleMatches, type Visitor } from "./rules.ts";
import type { ChoiceReason, TryBody, TryResult } from "./schema.ts";

export { type CompiledRule, compileRule, type Visitor } from "./rules.ts";

type Extras = Pick<TargetExtras, "ios" | "android" | "geo" | "test">;

export interface Destinations {
  url: string;
  rules: readonly CompiledRule[];
  extras: Extras | undefined;
}

export interface DestinationChoice {
  /** Undefined: draw a variant of the test. */
  url: string | undefined;
  reason: ChoiceReason;
  rule: CompiledRule | undefined;
  variants: TestVariants | undefined;
}

export function chooseDestination(
  { url, rules, extras }: Destinations,
  visitor: Visitor,
): DestinationChoice {
  const rule = rules.find((one) => ruleMatches(one, visitor));
  if (rule) return { url: rule.url, reason: "rule", rule, variants: undefined };
  const { ios, android, geo, test } = extras ?? {};
  const { agent, place, now } = visitor;
  if (ios && agent.os === "iOS") return choiceOf(ios, "ios");
  if (android && agent.os === "Android") return choiceOf(android, "android");
  const countryUrl = place?.country ? geo?.[place.country] : undefined;
  if (countryUrl) return choiceOf(countryUrl, "geo");
  if (test && isRunning(test, now)) {
    return { url: undefined, reason: "test", rule: undefined, variants: test.variants };
  }
  return choiceOf(url, "url");
}

function choiceOf(url: string, reason: ChoiceReason): DestinationChoice {
  return { url, reason, rule: undefined, variants: undefined };
}

function isRunning({ startsAt, endsAt }: NonNullable<Extras["test"]>, now: number): boolean {
  return startsAt <= now && (endsAt === 0 || now < endsAt);
}

/** The destination of a hypothetical visitor, and the failing conditions of every rule. */
export function tryVisit({ link, visitor: values }: TryBody): TryResult {
  const agent = parseAgent(values.userAgent);
  const { country = null, region = null, city = null } = values;
  const visitor: Visitor = {
    agent,
    place: { continent: null, country, region, city },
    language: values.language,
    now: values.at ? Date.parse(values.at) : Date.now(),
  };
  const rules = (link.rules ?? []).map(compileRule);
  const choice = chooseDestination({ url: link.url, rules, extras: extrasOf(link) }, visitor);
  return {
    url: choice.url ?? null,
    reason: choice.reason,
    rule: choice.rule ? rules.indexOf(choice.rule) : null,
    rules: rules.map((rule) => {
      const failed = rule.conditions.filter(({ matches }) => !matches(visitor));
      return { holds: failed.length === 0, failed: failed.map(({ name }) => name) };
    }),
    variants: choice.variants ?? null,
    visitor: { device: agent.device, os: agent.os, browser: agent.browser, app: agent.app },
  };
}

function extrasOf({ ios, android, geo, testVariants, ...times }: TryBody["link"]): Extras {
  return {
    ...(ios ? { ios } : {}),
    ...(android ? { android } : {}),
    ...(geo ? { geo } : {}),
    ...(testVariants
      ? {
          test: {
            variants: testVariants,
            startsAt: momentOf(times.testStartedAt),
            endsAt: momentOf(times.testCompletedAt),
          },
        }
      : {}),
  };
}

function momentOf(text: string | null | undefined): number {
  return text ? Date.parse(text) : 0;
}
