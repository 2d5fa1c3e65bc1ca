/** What people and API keys say about themselves. */
import { z } from "zod";

const nameCharsMax = 64;
const emailCharsMax = 254;
export const passwordCharsMin = 10;
export const passwordCharsMax = 200;

/** Compared in lower case everywhere, so that one address is one account. */
export const emailAddress = z
  .string()
  .trim()
  .toLowerCase()
  .max(emailCharsMax)
  .pipe(z.email("Give an e-mail address."));

const password = z
  .string()
  .min(passwordCharsMin, `A password has at least ${passwordCharsMin} characters.`)
  .max(passwordCharsMax, `A password has at most ${passwordCharsMax} characters.`);

export const signUpBody = z.object({
  name: z.string().trim().min(1, "Say your name.").max(nameCharsMax),
  email: emailAddress,
  password,
});
export type NewUser = z.output<typeof signUpBody>;

export const signInBody = z.object({ email: emailAddress, password: z.string().min(1).max(1_000) });

/** Someone who is signed in. */
export interface SessionUser {
  pk: number;
  id: string;
  email: string;
  name: string;
  /** Runs the installation. */
  operator: boolean;
  locale: string | null;
  sessionId: string;
}

export const createApiKeyBody = z.strictObject({
  name: z.string().trim().min(1, "Give the key a name.").max(nameCharsMax),
  /** Left out: all that a key may do. */
  scopes: z.array(z.string()).min(1).max(50).optional(),
  expiresAt: z.iso
    .datetime({ offset: true, message: "Give a date and time such as 2026-01-31T12:00:00Z." })
    .nullish(),
});
export type NewApiKey = z.output<typeof createApiKeyBody>;

export const apiKeyShape = z.object({
  id: z.string(),
  name: z.string(),
  /** The first characters of the key. */
  hint: z.string(),
  scopes: z.array(z.string()),
  /** Whose key it is: it can do no more than they can. */
  user: z.object({ id: z.string(), name: z.string() }),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
  expiresAt: z.string().nullable(),
});
export type ApiKey = z.infer<typeof apiKeyShape>;
