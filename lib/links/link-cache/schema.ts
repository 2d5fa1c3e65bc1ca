import { z } from "zod";
import { webOrAppUrl, webUrl } from "#lib/basics/fields/schema";
import { appNames } from "#lib/platform/request-info/schema";

const rulesMax = 50;
const valuesMax = 100;
const variantsMin = 2;
const variantsMax = 10;
const countriesMax = 250;

const country = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, "Use an ISO 3166-1 country code, such as DE.");

export const geoTargets = z
  .record(country, webUrl)
  .refine(
    (geo) => Object.keys(geo).length <= countriesMax,
    `Use at most ${countriesMax} countries.`,
  );
export type GeoTargets = z.output<typeof geoTargets>;

/** Every visitor keeps the variant that was drawn first. */
export const testVariants = z
  .array(
    z.object({ url: webUrl, percentage: z.number().min(1, "Use at least 1 percent.").max(99) }),
  )
  .min(variantsMin, `Use at least ${variantsMin} variants.`)
  .max(variantsMax, `Use at most ${variantsMax} variants.`)
  .refine(
    (variants) => Math.abs(variants.reduce((sum, one) => sum + one.percentage, 0) - 100) < 1e-9,
    "The percentages have to add up to 100.",
  );
export type TestVariants = z.output<typeof testVariants>;

function oneOf(value: z.ZodString) {
  return z.array(value).min(1).max(valuesMax).optional();
}

const word = z.string().trim().toLowerCase().min(1).max(100);
const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "Use a time such as 09:30.");

/** If `until` is before `from`, the window ends on the next day. */
const timeWindow = z.object({
  zone: z.string().refine(isZone, "Use an IANA time zone, such as Europe/Berlin."),
  /** 1 Monday to 7 Sunday. Omitted: every day. */
  days: z.array(z.int().min(1).max(7)).min(1).max(7).optional(),
  from: clockTime,
  until: clockTime,
});

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).format(0) !== "";
  } catch {
    return false; // RangeError: unknown zone
  }
}

const devices = ["mobile", "tablet", "desktop", "tv"] as const;

const rule = z
  .strictObject({
    device: z.array(z.enum(devices)).min(1).max(devices.length).optional(),
    os: oneOf(word),
    browser: oneOf(word),
    app: z.array(z.enum(appNames)).min(1).max(appNames.length).optional(),
    /** `de` also matches `de-AT`. */
    language: oneOf(word),
    country: z.array(country).min(1).max(valuesMax).optional(),
    /** ISO 3166-2, such as US-CA */
    region: oneOf(z.string().trim().toUpperCase().min(4).max(6)),
    city: oneOf(word),
    time: timeWindow.optional(),
    url: webOrAppUrl,
  })
  .refine((one) => Object.keys(one).length > 1, "Add at least one condition.");

/** The first rule whose conditions all match decides. */
export const rules = z.array(rule).max(rulesMax, `A link can have up to ${rulesMax} rules.`);
export type Rule = z.output<typeof rule>;

// Limits of the plain URL Scheme of WeChat:
// developers.weixin.qq.com/miniprogram/dev/framework/open-ability/url-scheme
const pathCharsMax = 1_024;
const queryCharsMax = 512;

const miniProgramFields = ["path", "appId", "query"] as const;

/**
 * What visitors get in the in-app browser of an app. The names are in the order in which jsonb
 * returns them, so that saving the same value again changes nothing.
 */
export const insideApps = z
  .strictObject({
    open: z
      .enum(["browser", "miniProgram"])
      .describe(
        "`browser`: a page that shows how to open the link in the browser of the phone. `miniProgram`: phones open a WeChat mini program in place of `url`; inside WeChat, visitors see that page until the workspace has the account of the mini program.",
      ),
    path: z
      .string()
      .trim()
      .overwrite((text) => text.replace(/^\/+/, ""))
      // defence: mini-program-path
      .regex(
        /^[\w./-]+$/,
        "Use the path of a page, such as pages/index/index, without query parameters.",
      )
      .max(pathCharsMax, `Use at most ${pathCharsMax} characters.`)
      .optional()
      .describe(
        "Page of the mini program. Without the account of the mini program, it has to be declared under Settings → Privacy and security → Plain scheme of the mini program.",
      ),
    appId: z
      .string()
      .trim()
      .regex(
        /^wx[0-9a-f]{16}$/,
        "Use the app id of a mini program: wx and 16 characters (0-9, a-f).",
      )
      .optional()
      .describe("App id of the mini program."),
    query: z
      .string()
      .trim()
      .regex(
        /^[\w!#$&'()*+,/:;=?@.~%`-]*$/,
        "Use letters, digits and !#$&'()*+,/:;=?@-._~%` in the query.",
      )
      .max(queryCharsMax, `Use at most ${queryCharsMax} characters.`)
      .optional()
      .describe("Query for the page of the mini program, such as from=mail."),
    canContinue: z
      .boolean()
      .default(true)
      .describe("Visitors may open the destination inside the app instead."),
  })
  .superRefine((value, context) => {
    const { open } = value;
    for (const name of miniProgramFields) {
      const given = Boolean(value[name]);
      if (open === "browser" && given) {
        const message = 'Use this only with open: "miniProgram".';
        context.addIssue({ code: "custom", path: [name], message });
      }
      if (open === "miniProgram" && !given && name !== "query") {
        const message = "Enter the app id and the path of the mini program.";
        context.addIssue({ code: "custom", path: [name], message });
      }
    }
  });
export type InsideApps = z.output<typeof insideApps>;
