/** Passkeys with the virtual authenticator of Chromium. */
import { type CDPSession, expect, type Page } from "@playwright/test";
import { TOTP } from "otpauth";
import { makeOperator, makeProofsOld } from "../test/workspaces.ts";
import { expectAccessible, signIn, test, untilAlive } from "./journey.ts";

interface Plugged {
  client: CDPSession;
  authenticatorId: string;
}

/** An authenticator of this browser. */
async function plugIn(page: Page): Promise<Plugged> {
  const client = await page.context().newCDPSession(page);
  await client.send("WebAuthn.enable");
  const { authenticatorId } = await client.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { client, authenticatorId };
}

/** The page with the passkeys of the account, in a browser with an authenticator. */
async function openSecurity(page: Page): Promise<Plugged> {
  const plugged = await plugIn(page);
  await page.goto("/app/account/security");
  await untilAlive(page);
  return plugged;
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Add a passkey" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a passkey" });
  await dialog.getByLabel("Name").fill(name);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("Passkey added")).toBeVisible();
}

/** The sign-in page, whose email field suggests no passkey: an authenticator of tests would take it at once. */
async function openSignIn(page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
  await page.goto("/signin");
  await untilAlive(page);
}

const passkeysOf = (page: Page) => page.getByRole("list", { name: "Passkeys" });

test("a passkey is added, signs in, proves presence, opens the back office, and ends when it is lost", async ({
  page,
  account,
}) => {
  const { client, authenticatorId } = await openSecurity(page);
  await addPasskey(page, "Work laptop");
  await expect(passkeysOf(page).getByText("Work laptop")).toBeVisible();
  await expect(passkeysOf(page).getByText("not used yet")).toBeVisible();
  await expectAccessible(page);

  await test.step("it is suggested in the email field", async () => {
    await page.context().clearCookies();
    await page.goto("/signin");
    await untilAlive(page);
    await page.waitForURL(`**/app/${account.slug}/links`);
  });

  await test.step("it signs in without a password", async () => {
    await openSignIn(page);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.waitForURL(`**/app/${account.slug}/links`);
    await page.goto("/app/account/security");
    await untilAlive(page);
    await expect(passkeysOf(page).getByText("last used")).toBeVisible();
    await expect(page.getByText(/Signed in .* with a passkey/)).toHaveCount(2);
  });

  await test.step("it proves presence", async () => {
    await makeProofsOld(account.email);
    await page.getByRole("button", { name: "Set up" }).click();
    const proof = page.getByRole("dialog", { name: "Confirm that it’s you" });
    await expectAccessible(page);
    await proof.getByRole("button", { name: "Use a passkey" }).click();
    const setUp = page.getByRole("dialog", { name: "Set up two-factor authentication" });
    const secret = (await setUp.getByRole("code").textContent()) ?? "";
    const totp = new TOTP({ secret: secret.replaceAll(" ", "") });
    await setUp.getByLabel("Verification code", { exact: true }).fill(totp.generate());
    await setUp.getByRole("button", { name: "Turn on" }).click();
    await page.getByRole("button", { name: "I’ve saved them" }).click();
  });

  await test.step("it opens the back office", async () => {
    await makeOperator(account.email);
    await makeProofsOld(account.email);
    await page.goto("/admin");
    await untilAlive(page);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  });

  await test.step("a copy of it is refused", async () => {
    const { credentials } = await client.send("WebAuthn.getCredentials", { authenticatorId });
    const [credential] = credentials;
    if (!credential) throw new Error("No credential");
    await client.send("WebAuthn.removeCredential", {
      authenticatorId,
      credentialId: credential.credentialId,
    });
    await client.send("WebAuthn.addCredential", {
      authenticatorId,
      credential: { ...credential, signCount: 0 },
    });
    await openSignIn(page);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await expect(page.getByText("This passkey isn’t accepted.")).toBeVisible();
    await expectAccessible(page);
  });
});

test("a removed passkey signs nobody in, and a canceled one says what to do", async ({
  page,
  account,
}) => {
  const { client, authenticatorId } = await openSecurity(page);
  await addPasskey(page, "Lost phone");
  await page.getByRole("button", { name: "Remove Lost phone" }).click();
  await expectAccessible(page);
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("Passkey removed")).toBeVisible();
  await openSignIn(page);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByText("This passkey isn’t accepted.")).toBeVisible();
  await client.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId });
  await signIn(page, account);
  await page.waitForURL(`**/app/${account.slug}/links`);
});
