import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import { TestOpenId, testClient } from "../test/openid.ts";
import { proveEmailDomain } from "../test/workspaces.ts";
import { expectAccessible, siteOrigin, test, untilAlive } from "./journey.ts";

let openId: TestOpenId;
test.beforeAll(async () => {
  openId = await TestOpenId.open();
});
test.afterAll(() => openId.stop());

test("a workspace gets a provider, people join with the role of their group, others stay out, and signing out leaves the provider too", async ({
  page,
  browser,
  account: { slug },
}) => {
  const host = `acme-${randomUUID().slice(0, 8)}.example`;
  openId.person = {
    subject: `grace-${slug}`,
    email: `grace@${host}`,
    verified: undefined,
    groups: ["staff"],
  };
  await page.goto(`/app/${slug}/settings/sso`);
  await untilAlive(page);
  const provider = page.getByRole("region", { name: "Identity provider" });
  await provider.getByLabel("Name").fill("Acme Login");
  await provider.getByLabel("Issuer URL").fill(`${openId.issuer}/nowhere`);
  await provider.getByLabel("Client ID").fill(testClient.clientId);
  await provider.getByLabel("Client secret").fill(testClient.secret);
  await provider.getByRole("button", { name: "Save" }).click();
  await expect(provider.getByText("The provider can’t be reached (HTTP 404)")).toBeVisible();
  await provider.getByLabel("Issuer URL").fill(openId.issuer);
  await provider.getByLabel("Client secret").fill(testClient.secret);
  await provider.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Provider saved")).toBeVisible();
  const callback = await provider.getByText("/api/auth/callback/").textContent();
  openId.allow(String(callback), `${siteOrigin}/signin`);

  const domains = page.getByRole("region", { name: "Email domains" });
  await domains.getByLabel("Email domain").fill("no domain");
  await domains.getByRole("button", { name: "Add domain" }).click();
  await expect(domains.getByText("Enter an email domain, such as example.com.")).toBeVisible();
  await domains.getByLabel("Email domain").fill(host);
  await domains.getByRole("button", { name: "Add domain" }).click();
  await expect(domains.getByText(`_fuxi.${host}`)).toBeVisible();
  await expectAccessible(page);
  await proveEmailDomain(host);

  const access = page.getByRole("region", { name: "Access" });
  await access.getByRole("switch", { name: "Require single sign-on" }).click();
  await access.getByRole("switch", { name: "Let people join by email domain" }).click();
  await access.getByRole("button", { name: "Add group" }).click();
  await access.getByRole("textbox", { name: "Group 1" }).fill("staff");
  await access.getByRole("button", { name: "Save access rules" }).click();
  await expect(page.getByText("Access rules saved")).toBeVisible();

  // The owner signed in with a password, and keeps another way in.
  await page.goto(`/app/${slug}/links`);
  await expect(page.getByRole("heading", { name: "Acme requires single sign-on" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Open without single sign-on" }).click();
  await page.waitForURL(`**/app/${slug}/links`);

  const employee = await (await browser.newContext({ baseURL: siteOrigin })).newPage();
  await employee.goto("/signin");
  await employee.getByRole("link", { name: "Single sign-on" }).click();
  await employee.getByLabel("Work email or workspace URL").fill("nobody@nowhere.example");
  await employee.getByRole("button", { name: "Continue" }).click();
  await expect(employee.getByText("No single sign-on found")).toBeVisible();
  await expectAccessible(employee);
  await employee.getByLabel("Work email or workspace URL").fill(openId.person.email);
  await employee.getByRole("button", { name: "Continue" }).click();
  await employee.waitForURL(`**/app/${slug}/links`);
  await untilAlive(employee);
  await expect(employee.getByRole("button", { name: "Create link" }).first()).toBeVisible();
  await employee.goto("/app/account/security");
  await expect(employee.getByText("Your account isn’t open in this session")).toBeVisible();
  await expectAccessible(employee);
  await employee.getByRole("button", { name: "Sign out" }).click();
  await employee.waitForURL(`${openId.issuer}/session/end**`);
  await employee.getByRole("button", { name: "Yes, sign me out" }).click();
  await employee.waitForURL("**/signin**");
  expect((await employee.request.get(`/app/${slug}/links`)).url()).toContain("/signin");

  await page.goto(`/app/${slug}/settings/members`);
  await expect(page.getByRole("row").filter({ hasText: openId.person.email })).toContainText(
    "Member",
  );
  await page.goto(`/app/${slug}/settings/audit`);
  await expect(page.getByText("opened the workspace without single sign-on")).toBeVisible();
});

test("an existing account is connected by its owner before it can sign in with the provider", async ({
  page,
  browser,
  account: { slug },
}) => {
  const unique = randomUUID().slice(0, 8);
  const host = `globex-${unique}.example`;
  const email = `ada@${host}`;
  openId.person = { subject: `ada-${slug}`, email, verified: true, groups: undefined };
  await page.goto(`/app/${slug}/settings/sso`);
  await untilAlive(page);
  const provider = page.getByRole("region", { name: "Identity provider" });
  await provider.getByLabel("Name").fill("Globex Login");
  await provider.getByLabel("Issuer URL").fill(openId.issuer);
  await provider.getByLabel("Client ID").fill(testClient.clientId);
  await provider.getByLabel("Client secret").fill(testClient.secret);
  await provider.getByRole("button", { name: "Save" }).click();
  const callback = await provider.getByText("/api/auth/callback/").textContent();
  openId.allow(String(callback), `${siteOrigin}/signin`);
  const domains = page.getByRole("region", { name: "Email domains" });
  await domains.getByLabel("Email domain").fill(host);
  await domains.getByRole("button", { name: "Add domain" }).click();
  await expect(domains.getByText(`_fuxi.${host}`)).toBeVisible();
  await proveEmailDomain(host);

  const guest = await (await browser.newContext({ baseURL: siteOrigin })).newPage();
  await guest.goto("/signup");
  await guest.getByLabel("Name", { exact: true }).fill("Ada");
  await guest.getByLabel("Email", { exact: true }).fill(email);
  await guest.getByLabel("Password", { exact: true }).fill(`correct horse ${unique}`);
  await guest.getByRole("button", { name: "Create account" }).click();
  await guest.waitForURL("**/app/new");
  await guest.goto("/signin/sso");
  await guest.context().clearCookies();
  await guest.goto("/signin/sso");
  await guest.getByLabel("Work email or workspace URL").fill(email);
  await guest.getByRole("button", { name: "Continue" }).click();
  await guest.waitForURL("**/signin/connect");
  await expect(
    guest.getByText(`An account with the address ${email} already exists.`),
  ).toBeVisible();
  await expectAccessible(guest);
  await guest.getByRole("link", { name: "Sign in" }).click();
  await guest.getByLabel("Email", { exact: true }).fill(email);
  await guest.getByLabel("Password", { exact: true }).fill(`correct horse ${unique}`);
  await guest.getByRole("button", { name: "Sign in", exact: true }).click();
  await guest.waitForURL("**/signin/connect");
  await expect(guest.getByText("It opens nothing else of your account.")).toBeVisible();
  await expectAccessible(guest);
  await guest.getByRole("button", { name: "Connect account" }).click();
  await guest.waitForURL(`**/signin/sso?workspace=${slug}`);
});
