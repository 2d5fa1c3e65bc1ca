import { z } from "zod";
import { passkeyAnswerCharsMax } from "#lib/identity/passkeys/schema";

export const nameCharsMax = 64;
const emailCharsMax = 254;
export const passwordCharsMin = 10;
export const passwordCharsMax = 200;

/** Always in lower case, so that one address is one account. */
export const emailAddress = z
  .string()
  .trim()
  .toLowerCase()
  .max(emailCharsMax)
  .pipe(z.email("Enter an email address."));

export const newPassword = z
  .string()
  .min(passwordCharsMin, `Use at least ${passwordCharsMin} characters.`)
  .max(passwordCharsMax, `Use at most ${passwordCharsMax} characters.`);

export const personName = z.string().trim().min(1, "Enter your name.").max(nameCharsMax);

export const signUpBody = z.object({
  name: personName,
  email: emailAddress,
  password: newPassword,
});
export type NewUser = z.output<typeof signUpBody>;

/** A verification or recovery code; "": not given yet. */
const code = z.string().trim().max(64).default("");

export const signInBody = z.object({
  email: emailAddress,
  password: z.string().min(1).max(1_000),
  code,
});
export const emailTokenBody = z.object({ token: z.string().max(100), code });
export const passkeyBody = z.object({ answer: z.string().max(passkeyAnswerCharsMax) });
