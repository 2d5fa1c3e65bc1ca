import { z } from "zod";
import { type AppName, appNames } from "#lib/platform/request-info/schema";

const checkedAt = z.string().nullable().describe("Null if it was never checked.");
const app = z.enum(appNames).describe("The app with the in-app browser.");

const evidenceShape = z.object({
  days: z.number().int().describe("Length of the period, in whole days."),
  visits: z.number().int().describe("Visits by people in the period."),
  inApp: z.number().int().describe("Those in the app."),
  share: z.number().describe("`inApp` divided by `visits`."),
  visitsBefore: z.number().describe("Visits of a median day in the four reference weeks."),
  inAppBefore: z.number().describe("Those in the app, of a median day."),
  shareBefore: z.number().describe("Mean share of the app in the reference weeks."),
});

const appShareShape = evidenceShape.extend({
  app,
  state: z
    .enum(["usual", "fallen"])
    .describe(
      "`fallen`: so few visits in the app are improbable in this domain’s usual ups and downs.",
    ),
});
export type AppShare = z.output<typeof appShareShape>;

export const alarmEvidenceShape = evidenceShape.extend({
  until: z.string().describe("Last day of the period."),
  oneIn: z
    .number()
    .describe("The chance of so few visits without a block is less than 1 in this number."),
});
export type AlarmEvidence = z.output<typeof alarmEvidenceShape>;

const alarmShape = z.object({
  app,
  source: z
    .enum(["visits", "checker"])
    .describe("Whether the visits or the checker service of the instance say so."),
  since: z.string().describe("Day since which the app seems to block the domain."),
  foundAt: z.string(),
  dismissed: z.boolean(),
  evidence: alarmEvidenceShape.nullable().describe("Null for `checker`."),
  appealUrl: z.string().nullable().describe("Where the operator of the app accepts appeals."),
});
export type DomainAlarm = z.output<typeof alarmShape>;

export const domainHealthShape = z.object({
  slug: z.string(),
  dns: z.object({
    state: z
      .enum(["ok", "missing", "elsewhere", "unknown"])
      .describe("`elsewhere`: other addresses than those of this instance, such as a proxy."),
    checkedAt,
  }),
  answer: z.object({
    state: z.enum(["ok", "error", "none", "unknown"]).describe("`error`: a status from 500 on."),
    status: z.number().int().nullable(),
    checkedAt,
  }),
  certificate: z.object({
    state: z
      .enum(["valid", "expiring", "invalid", "none", "unknown"])
      .describe("`expiring`: it ends within 7 days. `none`: there was no TLS connection."),
    validUntil: z.string().nullable(),
    issuer: z.string().nullable(),
    checkedAt,
  }),
  checker: z
    .object({ blockedIn: z.array(app), checkedAt: z.string() })
    .nullable()
    .describe("The last answer of the checker service; null without one."),
  apps: z.array(appShareShape).describe("In-app browsers with enough visits to be compared."),
  comparedUntil: z.string().nullable().describe("Last compared day; null if there was none."),
  alarms: z.array(alarmShape).describe("Apps that seem to block the domain."),
});
export type DomainHealth = z.output<typeof domainHealthShape>;

const appealUrls: Readonly<Partial<Record<AppName, string>>> = {
  wechat: "https://weixin110.qq.com",
  qq: "https://urlsec.qq.com",
};

export function alarmFacts({
  app: name,
  source,
  since,
  evidence,
}: Pick<DomainAlarm, "app" | "source" | "since" | "evidence">) {
  return { app: name, source, since, evidence, appealUrl: appealUrls[name] ?? null };
}

export const dismissAlarmBody = z.strictObject({ app });

/** `error`: a status from 500 on. */
export function answersWith(status: number | null): "ok" | "error" | "none" {
  if (status === null) return "none";
  return status < 500 ? "ok" : "error";
}
