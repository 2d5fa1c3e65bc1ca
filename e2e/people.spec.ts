import { type Browser, expect, type Page } from "@playwright/test";
import { TOTP } from "otpauth";
import { makeProofsOld } from "../test/workspaces.ts";
import { chinese, expectAccessible, signIn, siteOrigin, test, untilAlive } from "./journey.ts";
import { findEmail } from "./outbox.ts";

/** The link in the latest email to an address, once it has arrived. */
async function emailLinkOf(email: string, path: string): Promise<string> {
  const mail = await findEmail(email, `${path}?token=`);
  return mail.match(/https?:\/\/\S+\?token=[\w-]{43}/)?.[0] ?? "";
}

async function newPage(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  return page;
}

test("a member is invited, joins with a new account, and is offered only what their role allows", async ({
  page,
  browser,
  account: { slug },
}) => {
  await page.goto(`/app/${slug}/settings/members`);
  await untilAlive(page);
  await page.getByRole("button", { name: "Invite" }).click();
  const email = `grace-${slug}@example.com`;
  await page.getByRole("dialog").getByLabel("Email").fill(email);
  await page.getByRole("dialog").getByRole("button", { name: "Create invitation" }).click();
  // This instance has no mail server.
  await expect(page.getByText(`No email was sent to ${email}`)).toBeVisible();
  const link = await page.getByLabel("Invitation link").inputValue();
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("button", { name: /^Revoke invitation/ })).toBeVisible();

  const guest = await newPage(browser);
  await guest.goto(link);
  await expectAccessible(guest);
  await guest.getByRole("link", { name: "Create account" }).click();
  await guest.getByLabel("Name", { exact: true }).fill("Grace Hopper");
  await expect(guest.getByLabel("Email", { exact: true })).toHaveValue(email);
  await guest.getByLabel("Password", { exact: true }).fill("correct horse too");
  await guest.getByRole("button", { name: "Create account" }).click();
  // Signing up accepts the invitation.
  await guest.waitForURL(`**/app/${slug}/links`);
  await guest.goto(`/app/${slug}/settings/members`);
  await expect(guest.getByText("Grace Hopper").first()).toBeVisible();
  await expect(guest.getByRole("button", { name: "Invite" })).toHaveCount(0);
  await expect(guest.getByRole("combobox")).toHaveCount(0);
  expect(await (await guest.request.get(link)).text()).toContain(
    "This invitation is no longer valid",
  );

  await page.reload();
  await untilAlive(page);
  await expectAccessible(page);
  await page.getByRole("combobox", { name: "Role of Grace Hopper" }).click();
  await page.getByRole("option", { name: "Viewer" }).click();
  await expect(page.getByText("Grace Hopper’s role is now Viewer")).toBeVisible();
  const created = await page.request.post("/api/links", {
    headers: { Origin: siteOrigin, "X-Fuxi-Workspace": slug },
    data: { url: "https://example.com/looked-at" },
  });
  expect(created.ok()).toBe(true);
  await guest.goto(`/app/${slug}/links`);
  await untilAlive(guest);
  await expect(guest.getByRole("button", { name: "Create link" })).toHaveCount(0);
  await guest.getByRole("list", { name: "Links" }).getByRole("button", { name: /^More/ }).click();
  await expect(guest.getByRole("menuitem")).toHaveText([
    /^View analytics/,
    /^QR code/,
    /^Open short link/,
  ]);
  await guest.getByRole("menuitem", { name: "View analytics" }).click();
  await expect(guest.getByRole("heading", { level: 1 })).toContainText("/");
  await expect(guest.getByRole("button", { name: "Edit" })).toHaveCount(0);
  await page.getByRole("button", { name: "More actions for Grace Hopper" }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("Grace Hopper removed")).toBeVisible();
  expect((await guest.request.get(`/app/${slug}/links`)).status()).toBe(404);
  await guest.context().close();
});

test("the second factor is set up, asked for, and its recovery codes work once", async ({
  page,
  browser,
  account,
}) => {
  await page.goto("/app/account/security");
  await untilAlive(page);
  await page.getByRole("button", { name: "Set up" }).click();
  const secret = (await page.getByRole("dialog").getByRole("code").textContent()) ?? "";
  const totp = new TOTP({ secret: secret.replaceAll(" ", "") });
  await page.getByLabel("Verification code", { exact: true }).fill(totp.generate());
  await expectAccessible(page);
  await page.getByRole("button", { name: "Turn on" }).click();
  const codes = page.getByRole("list", { name: "Your recovery codes" }).getByRole("listitem");
  await expect(codes).toHaveCount(10);
  const [code = ""] = await codes.allTextContents();
  await expectAccessible(page);
  await page.getByRole("button", { name: "I’ve saved them" }).click();
  await expect(page.getByText("10 recovery codes left")).toBeVisible();

  const other = await newPage(browser);
  for (const round of ["first", "second"]) {
    await other.goto("/signin");
    await untilAlive(other);
    await signIn(other, account);
    await other.getByLabel("Verification code or recovery code").fill(code);
    await other.getByRole("button", { name: "Continue" }).click();
    if (round === "second") break;
    await other.waitForURL(`**/app/${account.slug}/links`);
    await other.context().clearCookies();
  }
  await expect(other.getByRole("alert").filter({ hasText: "incorrect" })).toBeVisible();
  const soon = totp.generate({ timestamp: Date.now() + 30_000 });
  await other.getByLabel("Verification code or recovery code").fill(soon);
  await other.getByRole("button", { name: "Continue" }).click();
  await other.waitForURL(`**/app/${account.slug}/links`);

  await page.reload();
  await untilAlive(page);
  await page.getByRole("button", { name: "Sign out of other browsers" }).click();
  await expect(page.getByText("Other browsers signed out")).toBeVisible();
  await other.reload();
  await other.waitForURL("**/signin?next=*");
  await other.context().close();
});

test("a sensitive change asks who is there and continues, and its email undoes it", async ({
  page,
  account,
}) => {
  await page.goto("/app/account/security");
  await untilAlive(page);
  await makeProofsOld(account.email);
  let calls = 0;
  await page.route("**/app/account/security", (route) => {
    if (route.request().method() === "POST") calls += 1;
    // The second call asks what the proof needs.
    return calls === 2 ? route.abort() : route.continue();
  });
  await page.getByRole("button", { name: "Set up" }).click();
  const proof = page.getByRole("dialog", { name: "Confirm that it’s you" });
  await expect(proof.getByText("Can’t reach the server.")).toBeVisible();
  await expectAccessible(page);
  await proof.getByRole("button", { name: "Try again" }).click();
  await proof.getByLabel("Current password").fill("not the password");
  await proof.getByRole("button", { name: "Continue" }).click();
  await expect(proof.getByText("Incorrect password.")).toBeVisible();
  await expectAccessible(page);
  await proof.getByLabel("Current password").fill(account.password);
  await proof.getByRole("button", { name: "Continue" }).click();
  const setUp = page.getByRole("dialog", { name: "Set up two-factor authentication" });
  const secret = (await setUp.getByRole("code").textContent()) ?? "";
  const totp = new TOTP({ secret: secret.replaceAll(" ", "") });
  await setUp.getByLabel("Verification code", { exact: true }).fill(totp.generate());
  await setUp.getByRole("button", { name: "Turn on" }).click();
  await page.getByRole("button", { name: "I’ve saved them" }).click();

  await page.goto(await emailLinkOf(account.email, "/reset/factor"));
  await untilAlive(page);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Undo the change" }).click();
  await expect(page.getByRole("heading", { name: "The change was undone" })).toBeVisible();
});

test("letters change an address, sign in, and set a lost password anew, once", async ({
  page,
  account: { email, password, slug },
}) => {
  const changed = `new-${email}`;

  await test.step("an address is changed by a letter to the new one", async () => {
    await page.goto("/app/account");
    await untilAlive(page);
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Ada Lovelace");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByRole("button", { name: "Account: Ada Lovelace" })).toBeVisible();
    await page.getByRole("button", { name: "Change email address" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("New email address").fill(changed);
    await dialog.getByLabel("Current password").fill(password);
    await dialog.getByRole("button", { name: "Change email address" }).click();
    await page.goto(await emailLinkOf(changed, "/verify"));
    await untilAlive(page);
    await page.getByRole("button", { name: "Confirm email address" }).click();
    await page.waitForURL(`**/app/${slug}/links`);
  });

  await test.step("one signs in by letter", async () => {
    await page.context().clearCookies();
    await page.goto("/signin/letter");
    await untilAlive(page);
    await page.getByLabel("Email", { exact: true }).fill(changed);
    await page.getByRole("button", { name: "Send email" }).click();
    await page.goto(await emailLinkOf(changed, "/signin/letter"));
    await untilAlive(page);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(`**/app/${slug}/links`);
  });

  await test.step("a lost password is set anew, once", async () => {
    await page.context().clearCookies();
    await page.goto("/signin");
    await untilAlive(page);
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await page.waitForURL("**/reset");
    await page.getByLabel("Email", { exact: true }).fill(changed);
    await page.getByRole("button", { name: "Send email" }).click();
    await expect(page.getByRole("status").filter({ hasText: "you’ll get an email" })).toBeVisible();
    const link = await emailLinkOf(changed, "/reset");
    for (const answer of ["Your password has been changed.", "expired or has already been used"]) {
      await page.goto(link);
      await untilAlive(page);
      await page.getByLabel("New password").fill("an entirely new horse");
      await expectAccessible(page);
      await page.getByRole("button", { name: "Set password" }).click();
      await expect(page.getByText(answer)).toBeVisible();
    }
  });
});

test("a session that ends in the middle of an edit loses nothing, and a deleted workspace comes back", async ({
  page,
  account,
}) => {
  const { slug } = account;
  await page.goto(`/app/${slug}/settings`);
  await untilAlive(page);
  await page.getByLabel("Name", { exact: true }).fill("Typed with care");
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Save changes" }).click();
  const again = page.getByRole("dialog", { name: "Sign in again" });
  await again.getByLabel("Email").fill(account.email);
  await again.getByLabel("Password").fill(account.password);
  await expectAccessible(page);
  await again.getByRole("button", { name: "Sign in" }).click();
  await expect(again).toHaveCount(0);
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Typed with care");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Settings saved")).toBeVisible();

  await page.getByRole("button", { name: "Delete workspace" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete workspace" }).click();
  await page.waitForURL("**/app/new");
  await untilAlive(page);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Restore Typed with care" }).click();
  await page.waitForURL(`**/app/${slug}/links`);
});

test.describe("in Chinese", () => {
  test.use({ locale: "zh-CN" });

  test("an account is deleted after its password", async ({
    page,
    account: { email, password },
  }) => {
    await page.goto("/app/account");
    await untilAlive(page);
    await page.getByRole("button", { name: "删除账户" }).click();
    await page.getByLabel("当前密码").last().fill("not the password");
    await page.getByRole("button", { name: "删除我的账户" }).click();
    await expect(page.getByText("密码不正确。")).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel("当前密码").last().fill(password);
    await page.getByRole("button", { name: "删除我的账户" }).click();
    await page.waitForURL("**/");
    await page.goto("/signin");
    await untilAlive(page);
    await page.getByLabel(chinese.email, { exact: true }).fill(email);
    await page.getByLabel(chinese.password, { exact: true }).fill(password);
    await page.getByRole("button", { name: "登录", exact: true }).click();
    await expect(page.getByRole("alert").filter({ hasText: /./ })).toBeVisible();
  });
});
