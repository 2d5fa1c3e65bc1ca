import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect } from "@playwright/test";
import { openQueue } from "../test/queues.ts";
import { expectAccessible, expectFitsPhone, signIn, signUp, untilAlive } from "./journey.ts";
import {
  confirm,
  icpNumber,
  instanceLog,
  onDatabase,
  openOffice,
  publicHost,
  test,
} from "./own-instance.ts";

test("an announcement is above the pages of a person until they close it, and stays closed", async ({
  office,
  page,
  admin: { account },
}) => {
  await openOffice(office, "announcements", { en: "Announcements", zh: "公告" });
  const english = `Maintenance ${randomUUID().slice(0, 8)}`;
  await office.getByLabel("English text").fill(english);
  await office.getByLabel("Chinese text").fill("今晚维护");
  const end = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
  await office.getByLabel("End (UTC)").fill(end);
  await office.getByLabel("Reason").fill("New disks");
  await office.getByRole("button", { name: "Create announcement" }).click();
  const list = office.getByRole("list", { name: "All announcements" });
  await expect(list.getByText(english)).toBeVisible();

  const banner = page.getByRole("region", { name: "Announcements" });
  await page.goto(`/app/${account.slug}/links`);
  await untilAlive(page);
  await expect(banner.getByText(english)).toBeVisible();
  await expectAccessible(page);
  const closed = page.waitForResponse((answer) => answer.request().method() === "POST");
  await banner.getByRole("button", { name: `Close announcement: ${english}` }).click();
  await expect(banner).toHaveCount(0);
  await closed;
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(banner).toHaveCount(0);
  await office.reload();
  await untilAlive(office);
  await expect(list.getByText("closed by 1 person")).toBeVisible();
  await list.getByRole("button", { name: `End “${english}”` }).click();
  await confirm(office, "End announcement", "Done early");
  await expect(list.getByText("Ended", { exact: true })).toBeVisible();
});

test("a new API key waits for an administrator: one is approved and works, one is declined with a reason", async ({
  office,
  page,
  admin: { account },
}) => {
  await page.goto(`/app/${account.slug}/settings/api-keys`);
  await untilAlive(page);
  const secrets: string[] = [];
  for (const name of ["Newsletter", "Unknown"]) {
    await page.getByRole("button", { name: "Create key" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill(name);
    await dialog.getByRole("button", { name: "Create key" }).click();
    secrets.push(await dialog.getByLabel(`API key “${name}”`).inputValue());
    await dialog.getByRole("button", { name: "I’ve saved it" }).click();
    await expect(page.getByRole("row", { name })).toContainText("Pending");
  }
  const statusOf = async (secret = "") => {
    const headers = { Authorization: `Bearer ${secret}` };
    return (await fetch(`${new URL(page.url()).origin}/api/links`, { headers })).status;
  };
  expect(await statusOf(secrets[0])).toBe(403);

  await openOffice(office, "api-keys", { en: "API keys", zh: "API 密钥" });
  await office.getByRole("button", { name: "Approve Newsletter" }).click();
  await confirm(office, "Approve", "Known customer");
  await expect(office.getByRole("button", { name: "Approve Newsletter" })).toHaveCount(0);
  await office.getByRole("button", { name: "Decline Unknown" }).click();
  await confirm(office, "Decline", "Please tell us what it is for");
  await expect(office.getByText("No pending API keys")).toBeVisible();
  await expect.poll(() => statusOf(secrets[0])).toBe(200);
  expect(await statusOf(secrets[1])).toBe(401);
});

test("a failed job is listed with its error; one runs again, another is deleted", async ({
  office,
  instance,
}) => {
  const name = "destinations.warn";
  const queue = openQueue(instance.redisUrl, name);
  const [first, second] = await Promise.all([
    queue.add(name, { kind: "first" }),
    queue.add(name, { kind: "second" }),
  ]);
  for (const job of [first, second]) await expect.poll(() => job.getState()).toBe("failed");
  await openOffice(office, "system", { en: "System", zh: "系统状态" });
  await expect(office.getByText('{"kind":"second"}')).toBeVisible();
  await expect(office.getByText('{"kind":"first"}')).toBeVisible();
  await expect(office.getByRole("cell", { name: "Running" }).first()).toBeVisible();

  await first.updateData({ kind: "warn" });
  await office.getByRole("button", { name: `Retry ${name} ${first.id}` }).click();
  await confirm(office, "Retry", "Data repaired");
  await expect.poll(() => first.getState()).toBe("completed");
  await office.getByRole("button", { name: `Delete ${name} ${second.id}` }).click();
  await confirm(office, "Delete", "Not needed");
  await expect(office.getByText('{"kind":"second"}')).toBeHidden();
  expect(await second.getState()).toBe("unknown");
  await queue.close();
});

test("a feature that is turned off is refused with its text, until it is turned on again", async ({
  office,
  page,
  admin: { account },
}) => {
  await openOffice(office, "features", { en: "Features", zh: "功能开关" });
  await office.getByRole("button", { name: "Turn off: New share links" }).click();
  await confirm(office, "Turn off", "Misused");
  await expect(office.getByText(/UTC: Misused$/)).toBeVisible();

  await page.goto(`/app/${account.slug}/analytics`);
  await untilAlive(page);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const sheet = page.getByRole("dialog", { name: "Share analytics" });
  await sheet.getByLabel("Name").fill("For the board");
  await sheet.getByRole("button", { name: "Create share link" }).click();
  await expect(
    sheet.getByText("This feature is turned off on this instance. Contact your administrator."),
  ).toBeVisible();
  await expectAccessible(page);

  await office.getByRole("button", { name: "Turn on: New share links" }).click();
  await confirm(office, "Turn on", "Under control");
  await expect(office.getByText(/UTC: Under control$/)).toBeVisible();
  const created = sheet.getByLabel("Share link for “For the board”");
  await expect(async () => {
    if (await created.isVisible()) return; // a slow answer may come between two presses
    await sheet.getByRole("button", { name: "Create share link" }).click({ timeout: 1_000 });
    await expect(created).toBeVisible({ timeout: 5_000 });
  }).toPass();
});

test("usage counts accounts and links per day, in charts and a table", async ({
  office,
  instance,
}) => {
  const queue = openQueue(instance.redisUrl, "schedules");
  const job = await queue.add("schedules", { job: "usage.record" });
  await expect.poll(() => job.getState()).toBe("completed");
  await queue.close();
  await openOffice(office, "usage", { en: "Usage", zh: "用量" });
  await office.getByText("Numbers per day", { exact: true }).first().click();
  // Today: the links, clicks, workspaces and accounts of this file.
  const table = office.getByRole("table", { name: "Numbers per day" });
  const numbers = await table.getByRole("row").nth(1).getByRole("cell").allTextContents();
  expect(Number(numbers.at(-1))).toBeGreaterThan(0);
  await expect(office.getByRole("img", { name: /^New accounts per day/ })).toBeVisible();
  await expect(office.getByRole("table", { name: "Largest tables" })).toBeVisible();
});

test("every page for visitors has the ICP number with a link to the register", async ({ page }) => {
  await page.context().clearCookies();
  for (const path of ["/", "/docs", "/docs/api", "/legal/terms", "/signup"]) {
    const text = await (await page.request.get(path)).text();
    expect(text, path).toContain(icpNumber);
    expect(text, path).toContain("https://beian.miit.gov.cn/");
  }
});

test("until the address is confirmed, every page offers the email in its language, and no key is made", async ({
  browser,
  instance,
  admin,
}) => {
  const context = await browser.newContext({ baseURL: instance.url, locale: "en-US" });
  const page = await context.newPage();
  const { slug, email } = await signUp(page);
  // The first account of an instance counts as confirmed.
  expect(email).not.toBe(admin.account.email);
  await page.goto(`/app/${slug}/settings/api-keys`);
  await untilAlive(page);
  const banner = page.getByRole("region", { name: "Confirm your email address" });
  await expect(banner).toContainText(email);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Server");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Confirm your email address first");
  await page.keyboard.press("Escape");
  await banner.getByRole("button", { name: "Send confirmation email" }).click();
  await expect(page.getByText(`Email sent to ${email}.`)).toBeVisible();
  const headers = { "Accept-Language": "zh-CN" };
  const chinese = await page.request.get(`/app/${slug}/links`, { headers });
  expect(await chinese.text()).toContain("请确认你的邮箱");
  await context.close();
});

const failure = "This page couldn’t be loaded";

test("while one table is away its page says so inside its frame, and trying again mends it", async ({
  page,
  instance,
  admin: { account },
}) => {
  await onDatabase(instance, "ALTER TABLE utm_template RENAME TO utm_template_away");
  await page.goto(`/app/${account.slug}/settings/utm`);
  await expect(page.getByRole("heading", { level: 1, name: failure })).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByRole("link", { name: "Tags", exact: true })).toBeVisible();
  const alert = page.getByRole("alert").filter({ hasText: failure });
  const [reference = "none"] = /\d{6,}/.exec((await alert.textContent()) ?? "") ?? [];
  expect(readFileSync(instanceLog, "utf8")).toContain(reference);

  // Input in a failed page is kept when the page recovers.
  await page.keyboard.press("c");
  await page.getByLabel("Destination").fill("https://example.com/written");
  await onDatabase(instance, "ALTER TABLE utm_template_away RENAME TO utm_template");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "UTM templates" })).toBeVisible();
  await page.keyboard.press("c");
  await page.getByRole("button", { name: "Continue editing" }).click();
  await expect(page.getByLabel("Destination")).toHaveValue("https://example.com/written");
});

test("while the database is away links lead on, forms keep what was typed, and what was shown too early is taken back", async ({
  page,
  browser,
  instance,
  databaseProxy,
  admin: { account },
}) => {
  const { slug, email, password } = account;
  const headers = { Origin: instance.url, "X-Fuxi-Workspace": slug };
  const data = { url: "https://example.com/fair", key: "fair" };
  await page.request.post("/api/links", { headers, data });
  const follow = async () => {
    const answer = await page.request.get("/fair", { maxRedirects: 0 });
    expect([answer.status(), answer.headers()["location"]]).toEqual([302, data.url]);
  };
  await follow();
  await page.goto(`/app/${slug}/links`);
  await untilAlive(page);
  const stranger = await browser.newPage({ baseURL: instance.url });
  await stranger.goto("/signin");
  await untilAlive(stranger);
  const links = page.getByRole("list", { name: "Links", exact: true });
  const row = links.getByRole("listitem").filter({ hasText: "/fair" });
  const unavailable = "The service is temporarily unavailable";
  await databaseProxy.close();

  await test.step("visitors and readers notice nothing", async () => {
    await follow();
    for (const path of ["/", "/legal/terms", "/docs", "/docs/api"]) {
      expect((await page.request.get(path)).status(), path).toBe(200);
    }
    const answer = await page.request.get("/api/links", { headers });
    expect([answer.status(), answer.headers()["retry-after"]]).toEqual([503, "2"]);
    expect(Object(await answer.json()).error.code).toBe("service_unavailable");
  });

  await test.step("nobody is told a wrong password, nor where the database is", async () => {
    const answered = stranger.waitForResponse(/callback\/password/);
    await signIn(stranger, { email, password });
    expect(await (await answered).text()).not.toContain("ECONN");
    await expect(stranger.getByRole("alert").filter({ hasText: unavailable })).toBeVisible();
    await stranger.context().close();
  });

  await test.step("a link that was archived too early comes back", async () => {
    await row.getByRole("button", { name: /^More actions for/ }).click();
    await page.getByRole("menuitem", { name: "Archive" }).click();
    await expect(page.getByText(unavailable)).toBeVisible();
    await expect(row).toBeVisible();
  });

  await test.step("a page that is gone to fails inside its frame", async () => {
    await page.getByRole("link", { name: "Domains" }).click();
    await expect(page.getByRole("heading", { name: failure })).toBeVisible();
    await expect(page.getByRole("link", { name: "Links", exact: true })).toBeVisible();
    await expectFitsPhone(page);
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  await test.step("what was typed is saved by the second press", async () => {
    await page.keyboard.press("c");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Destination").fill("https://example.com/typed");
    const save = dialog.getByRole("button", { name: "Create link" });
    await save.click();
    await expect(dialog.getByRole("alert").filter({ hasText: unavailable })).toBeVisible();
    await expect(dialog.getByLabel("Destination")).toHaveValue("https://example.com/typed");
    await databaseProxy.reopen();
    // The database is probed a few times a second. A slow answer may come between two presses.
    const ready = page.getByText("Your link is ready");
    await expect(async () => {
      if (await ready.isVisible()) return;
      await save.click({ timeout: 1_000 });
      await expect(ready).toBeVisible({ timeout: 2_000 });
    }).toPass();
  });

  await test.step("the page that failed comes by trying again", async () => {
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Domains" })).toBeVisible();
    await page.getByRole("link", { name: "Links", exact: true }).click();
    await expect(page.getByText("example.com/typed")).toBeVisible();
    await follow();
  });
});

test("a visitor creates a link without an account, and moves it to their workspace after signing up", async ({
  browser,
  instance,
}) => {
  const destination = "https://example.com/autumn";
  const context = await browser.newContext({ baseURL: instance.url, locale: "en-US" });
  const visitor = await context.newPage();
  await visitor.goto("/");
  await untilAlive(visitor);
  await visitor.getByLabel("Destination URL").fill(destination);
  await visitor.getByRole("button", { name: "Shorten" }).click();
  const created = visitor.getByRole("status").getByRole("link", { name: publicHost });
  const shortLink = String(await created.getAttribute("href"));
  await expectAccessible(visitor);
  const follow = async () => {
    const { port, pathname } = new URL(shortLink);
    const answer = await visitor.request.get(`http://127.0.0.1:${port}${pathname}`, {
      headers: { Host: new URL(shortLink).host },
      maxRedirects: 0,
    });
    return answer.headers()["location"];
  };
  expect(await follow()).toBe(destination);

  const { slug } = await signUp(visitor);
  const banner = visitor.getByRole("region", { name: "You created 1 link before you signed in" });
  await banner.getByRole("button", { name: "Move here" }).waitFor();
  await expectAccessible(visitor);
  await banner.getByRole("button", { name: "Move here" }).click();
  await expect(banner).toHaveCount(0);
  await visitor.goto(`/app/${slug}/links`);
  const row = visitor.getByRole("list", { name: "Links" }).locator("[data-row]");
  await expect(row).toContainText(publicHost);
  expect(await follow()).toBe(destination);
  await context.close();
});

test("without an account, visitors look around in the demo, and nothing else opens for them", async ({
  browser,
  instance,
  admin: { account },
}) => {
  const context = await browser.newContext({ baseURL: instance.url, locale: "en-US" });
  const visitor = await context.newPage();
  await visitor.goto("/");
  await visitor.getByRole("link", { name: "Look around in the demo" }).click();
  await visitor.waitForURL("**/app/demo/links");
  await untilAlive(visitor);
  const row = visitor.getByRole("list", { name: "Links" }).getByRole("listitem").first();
  await expect(row).toBeVisible();
  await expectAccessible(visitor);
  await expectFitsPhone(visitor);
  await visitor.setViewportSize({ width: 1280, height: 720 });

  await test.step("what needs an account says so, with the way to one", async () => {
    await visitor.getByRole("button", { name: "Create link" }).click();
    const dialog = visitor.getByRole("dialog", { name: "Sign up to do this" });
    await expectAccessible(visitor);
    await expect(dialog.getByRole("link", { name: "Sign up" })).toHaveAttribute("href", "/signup");
    await visitor.keyboard.press("Escape");
  });

  await row.getByRole("link").first().click();
  await visitor.waitForURL("**/app/demo/links/link_*");
  const link = new URL(visitor.url()).pathname;
  await untilAlive(visitor);
  await expect(visitor.getByRole("img", { name: /^Chart from/ })).toBeVisible();
  await expectAccessible(visitor);
  await expect(visitor.getByText(account.email)).toHaveCount(0);

  await visitor.getByRole("link", { name: "Analytics", exact: true }).click();
  await expect(visitor.getByRole("heading", { level: 1, name: "Analytics" })).toBeVisible();
  await expect(visitor.getByRole("img", { name: /^Chart from/ })).toBeVisible();
  await expectAccessible(visitor);

  const closed = ["campaigns", "imports", "settings", "settings/members", "settings/audit"];
  const paths = [
    ...closed.map((path) => `/app/demo/${path}`),
    `${link}/qr`,
    `/app/${account.slug}/links`,
    "/app/account",
    "/app/new",
  ];
  for (const path of paths) {
    await visitor.goto(path);
    // Pages with a loading state send there when they have begun to show.
    await expect(visitor, path).toHaveURL(({ pathname }) => pathname === "/signin");
  }
  for (const path of ["links", "links/export", "analytics", "tags"]) {
    const answer = await visitor.request.get(`/api/${path}?workspace=demo`);
    expect([path, answer.status()]).toEqual([path, 401]);
  }
  await context.close();
});
