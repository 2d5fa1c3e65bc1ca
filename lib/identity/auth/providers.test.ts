import { expect, test } from "vitest";
import { readGithub, readGoogle } from "./providers.ts";

test("Google's address counts only when Google has verified it", () => {
  const profile = { sub: "1", email: "Ada@example.com", name: "Ada" };
  expect(readGoogle({ ...profile, email_verified: true })).toEqual({
    provider: "google",
    subject: "1",
    email: "Ada@example.com",
    emailProven: true,
    name: "Ada",
  });
  expect(readGoogle(profile).emailProven).toBe(false);
  expect(() => readGoogle({ ...profile, email_verified: "true" })).toThrow();
});

test("of GitHub's addresses the primary one counts, if it is verified", () => {
  const of = (primary: boolean, verified: boolean) => ({
    email: `${primary}@example.com`,
    primary,
    verified,
  });
  const profile = { id: 7, login: "ada", name: null };
  expect(readGithub({ ...profile, emails: [of(false, true), of(true, true)] })).toEqual({
    provider: "github",
    subject: "7",
    email: "true@example.com",
    emailProven: true,
    name: "ada",
  });
  expect(readGithub({ ...profile, emails: [of(true, false)] }).emailProven).toBe(false);
  expect(readGithub(profile)).toMatchObject({ email: "", emailProven: false });
});
