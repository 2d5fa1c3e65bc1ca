/** Buying a plan at Stripe, as an owner does it: Checkout and the portal are pages of a server that behaves alike. */
import { expect, type Page } from "@playwright/test";
import { givePlan } from "../test/plans.ts";
import { FakeStripeSite } from "../test/stripe-pages.ts";
import { expectAccessible, test, untilAlive, type Workspace } from "./journey.ts";

const port = Number(process.env["TEST_STRIPE_PORT"]);
const stripe = new FakeStripeSite(
  `http://127.0.0.1:${port}`,
  `${process.env["TEST_BASE_URL"]}/api/stripe/webhook`,
);

test.beforeAll(() => stripe.listen(port));
test.afterAll(() => stripe.close());

async function openPlanPage(page: Page, slug: string): Promise<void> {
  await page.goto(`/app/${slug}/settings/plan`);
  await untilAlive(page);
}

async function openCheckout(page: Page, { slug }: Workspace, offer: RegExp): Promise<void> {
  await givePlan(slug, "free");
  await openPlanPage(page, slug);
  await page.getByRole("button", { name: offer }).click();
  await expect(page.getByRole("heading", { name: "Pay" })).toBeVisible();
}

test("an owner subscribes, sees the plan at once, and cancels it in the portal", async ({
  page,
  workspace,
}) => {
  await openCheckout(page, workspace, /^Buy Personal, monthly/);
  await expect(page.getByText("9 EUR")).toBeVisible();
  await page.getByRole("button", { name: "Pay now" }).click();
  await page.waitForURL(/settings\/plan\?paid=1$/);
  await untilAlive(page);
  await expect(page.getByText("Thank you.")).toBeVisible();
  await expect(page.getByText("This workspace is on the Personal plan.")).toBeVisible();
  await expect(page.getByText("Personal, subscription")).toBeVisible();
  await expect(page.getByText(/^Renews on/)).toBeVisible();
  await expect(page.getByRole("button", { name: /^Buy/ })).toHaveCount(0);
  await expectAccessible(page);

  await page.getByRole("button", { name: "Manage billing" }).click();
  await page.getByRole("button", { name: "Cancel plan" }).click();
  await page.getByRole("link", { name: "Return to Fuxi" }).click();
  await page.waitForURL(/settings\/plan$/);
  await untilAlive(page);
  await expect(page.getByText(/^Ends on/)).toBeVisible();
  await expect(page.getByText(/This plan ends on/)).toBeVisible();
  await page.getByRole("link", { name: "Plans and payment" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Plans and payment" })).toBeVisible();
  await expectAccessible(page);
});

test("an owner who leaves Checkout is back on the same plan, and can buy later", async ({
  page,
  workspace,
}) => {
  await openCheckout(page, workspace, /^Buy Trial/);
  await page.getByRole("link", { name: "Back" }).click();
  await page.waitForURL(/settings\/plan$/);
  await untilAlive(page);
  await expect(page.getByText("This workspace is on the Free plan.")).toBeVisible();
  await expect(page.getByText("Thank you.")).toHaveCount(0);
  await page.getByRole("button", { name: /^Buy Trial/ }).click();
  await page.getByRole("button", { name: "Pay now" }).click();
  await page.waitForURL(/paid=1$/);
  await expect(page.getByText("This workspace is on the Trial plan.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Payments" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Buy Trial/ })).toHaveCount(0);
});

test("a prepaid year is bought once more, and lasts two", async ({ page, workspace }) => {
  await openCheckout(page, workspace, /^Buy Personal, 12 months/);
  await page.getByRole("button", { name: "Pay now" }).click();
  await page.waitForURL(/paid=1$/);
  await untilAlive(page);
  await page.getByRole("button", { name: /^Buy Personal, 12 months/ }).click();
  await page.getByRole("button", { name: "Pay now" }).click();
  await page.waitForURL(/paid=1$/);
  const year = new Date().getUTCFullYear() + 2;
  await expect(page.getByText(new RegExp(`This plan ends on .*${year}`))).toBeVisible();
});

test("a failed payment is shown with what to do, on a phone in the dark too", async ({
  page,
  workspace,
}) => {
  await openCheckout(page, workspace, /^Buy Personal, monthly/);
  await page.getByRole("button", { name: "Pay now" }).click();
  await page.waitForURL(/paid=1$/);
  await stripe.failPayment(stripe.subscriptions.at(-1)?.customer ?? "");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 390, height: 844 });
  await openPlanPage(page, workspace.slug);
  await expect(page.getByText("Payment overdue")).toBeVisible();
  await expect(page.getByText(/^The last payment failed/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Manage billing" })).toBeEnabled();
  await expectAccessible(page);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);
});

test("when Stripe can’t be reached, the button says so and nothing is charged", async ({
  page,
  workspace: { slug },
}) => {
  await givePlan(slug, "free");
  await openPlanPage(page, slug);
  stripe.isDown = true;
  await page.getByRole("button", { name: /^Buy Trial/ }).click();
  await expect(page.getByText(/try again/i)).toBeVisible();
  stripe.isDown = false;
  await page.getByRole("button", { name: /^Buy Trial/ }).click();
  await expect(page.getByRole("heading", { name: "Pay" })).toBeVisible();
});
