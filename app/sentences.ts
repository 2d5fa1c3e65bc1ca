/** The messages of form errors in the user's language. The server sends them with its answer. */
import { getTranslations } from "next-intl/server";
import type { FormAnswer } from "#components/forms/form";
import { sharePasswordCharsMax, sharePasswordCharsMin } from "#lib/analytics/shares/schema";
import { passwordCharsMax, passwordCharsMin } from "#lib/identity/auth/schema";
import type { ErrorMessageKey } from "#lib/platform/messages/schema";

const limits: Partial<Record<ErrorMessageKey, { min: number; max: number }>> = {
  passwordShort: { min: passwordCharsMin, max: passwordCharsMax },
  sharePasswordLength: { min: sharePasswordCharsMin, max: sharePasswordCharsMax },
};
export const noValues = {
  ...{ min: 0, max: 0, hours: 0, minutes: 0, megabytes: 0, status: 0 },
  ...{ host: "", owner: "", entry: "", countries: "", reason: "", name: "" },
};

export async function withSentences<Done>(answer: FormAnswer<Done>): Promise<FormAnswer<Done>> {
  if (answer.ok) return answer;
  const t = await getTranslations("errors");
  const { form, fields = {}, values } = answer;
  const say = (key: ErrorMessageKey) => t(key, { ...noValues, ...limits[key], ...values });
  const said = {
    // The browser finds network failures itself.
    ...(form === undefined || form === "offline" || form === "away" || form === "renewed"
      ? {}
      : { form: say(form) }),
    fields: Object.fromEntries(Object.entries(fields).map(([name, key]) => [name, say(key)])),
  };
  return { ...answer, said };
}
