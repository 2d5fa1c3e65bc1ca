/** Plans: an administrator sets one, a trial ends, a limit is near, and what Free does not include is locked. */
import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { givePlan, operatorCookie, runPlanJobs } from "../test/plans.ts";
import { expectAccessible, test } from "./journey.ts";
import { openEditor, openForm } from "./link-form.ts";

async function openPlanPage(page: Page, slug: string): Promise<void> {
  await page.goto(`/app/${slug}/settings/plan`);
  await expect(page.getByRole("heading", { level: 1, name: "Plan & usage" })).toBeVisible();
}

test("an administrator sets a plan, limits and an end, and the workspace has them at once", async ({
  page,
  browser,
  workspace: { slug },
}) => {
  const context = await browser.newContext({ baseURL: process.env["TEST_BASE_URL"] ?? "" });
  const [name = "", value = ""] = (await operatorCookie(`op-${randomUUID()}`)).split("=");
  await context.addCookies([{ name, value, url: process.env["TEST_BASE_URL"] ?? "" }]);
  const office = await context.newPage();
  await office.goto("/admin/plans");
  await office.getByLabel("Workspace", { exact: true }).fill("no-such-workspace");
  await office.getByRole("button", { name: "Find workspace" }).click();
  await expect(office.getByText("Workspace “no-such-workspace” not found.")).toBeVisible();
  await office.getByLabel("Workspace", { exact: true }).fill(slug);
  await office.getByRole("button", { name: "Find workspace" }).click();
  await expect(office.getByRole("heading", { name: "Acme" })).toBeVisible();

  await office.getByRole("combobox", { name: "Plan" }).click();
  await office.getByRole("option", { name: "Personal" }).click();
  await office.getByLabel("Tags", { exact: true }).fill("many");
  await office.getByLabel("End", { exact: true }).fill("2099-12-31");
  await office.getByLabel("Reason", { exact: true }).fill("Pilot until the end of the year");
  await office.getByRole("button", { name: "Set plan" }).click();
  await expect(office.getByText("Enter whole numbers or “unlimited”")).toBeVisible();
  await expectAccessible(office);
  await office.getByLabel("Tags", { exact: true }).fill("7");
  await office.getByRole("button", { name: "Set plan" }).click();
  await expect(office.getByText("Plan set")).toBeVisible();
  await context.close();

  await openPlanPage(page, slug);
  await expect(page.getByText("This workspace is on the Personal plan.")).toBeVisible();
  await expect(page.getByText("This workspace has custom limits.")).toBeVisible();
  await expect(page.getByText("This plan ends on December 31, 2099.")).toBeVisible();
  await expect(page.getByText("0 of 7")).toBeVisible();
});

test("a workspace that uses 90 % of a limit is notified, and sees it on its plan page", async ({
  page,
  workspace: { slug, make },
}) => {
  await givePlan(slug, "free", { limits: { tags: 10 } });
  for (let at = 0; at < 9; at++) await make("/tags", { name: `Tag ${at}` });
  await runPlanJobs(new Date());
  await openPlanPage(page, slug);
  await expect(page.getByText("9 of 10")).toBeVisible();
  await expect(page.getByText("Over 90% used")).toBeVisible();
  await page.getByRole("button", { name: "Notifications, 1 new" }).click();
  await expect(page.getByText("90% of a plan limit is used: 9 of 10 tags.")).toBeVisible();
  await expectAccessible(page);
});

test("Free shows what is locked before anything is filled in, and existing links keep and lose it", async ({
  page,
  workspace: { slug, make },
}) => {
  const { shortLink } = await make<{ shortLink: string }>("/links", {
    url: "https://example.com/",
    key: `locked-${slug}`,
    password: "open",
  });
  await givePlan(slug, "free");
  await page.goto(`/app/${slug}/links`);
  const form = await openForm(page);
  for (const name of ["Password", "Targeting", "A/B test"]) {
    await expect(form.getByRole("switch", { name: new RegExp(name) })).toBeDisabled();
  }
  await expect(form.getByText("Not included in your plan.").first()).toBeVisible();
  await expectAccessible(page);
  const opened = page.waitForEvent("popup");
  await form.getByRole("link", { name: "Compare plans" }).first().click();
  const plans = await opened;
  await expect(plans.getByRole("heading", { name: "All plans" })).toBeVisible();
  await expect(plans.getByRole("row", { name: /Password protection Not included/ })).toBeVisible();
  await plans.close();

  await page.keyboard.press("Escape");
  const editor = await openEditor(page);
  await expect(editor.getByLabel("Destination", { exact: true })).not.toBeEditable();
  await expect(editor.getByText("doesn’t include changing the destination")).toBeVisible();
  await expectAccessible(page);
  await editor.getByRole("switch", { name: /Password/ }).click();
  await editor.getByRole("button", { name: "Save" }).click();
  await expect(editor).toBeHidden();
  const visit = await page.request.get(shortLink, { maxRedirects: 0 });
  expect(visit.headers()["location"]).toBe("https://example.com/");
});
