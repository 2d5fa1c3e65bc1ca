/** Buying a plan at Stripe, as an owner does it: Checkout and the portal are pages of a server that behaves alike. */
import { expect, type Page } from "@playwright/test";
import { givePlan } from "../test/plans.ts";
import { FakeStripeSite } from "../test/stripe-pages.ts";
import { expectAccessible, expectFitsPhone, test, untilAlive } from "./journey.ts";

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

test("an owner subscribes after a failure, sees the plan at once, a failed payment and its end", async ({
  page,
  workspace: { slug },
}) => {
  await givePlan(slug, "free");
  await openPlanPage(page, slug);

  await test.step("when Stripe can’t be reached, the button says so and nothing is charged", async () => {
    stripe.isDown = true;
    await page.getByRole("button", { name: /^Buy Trial/ }).click();
    await expect(page.getByText(/try again/i)).toBeVisible();
    stripe.isDown = false;
  });

  await test.step("who leaves Checkout is back on the same plan", async () => {
    await page.getByRole("button", { name: /^Buy Trial/ }).click();
    await expect(page.getByRole("heading", { name: "Pay" })).toBeVisible();
    await page.getByRole("link", { name: "Back" }).click();
    await page.waitForURL(/settings\/plan$/);
    await untilAlive(page);
    await expect(page.getByText("This workspace is on the Free plan.")).toBeVisible();
    await expect(page.getByText("Thank you.")).toHaveCount(0);
  });

  await test.step("a subscription is bought", async () => {
    await page.getByRole("button", { name: /^Buy Personal, monthly/ }).click();
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
  });

  await test.step("a failed payment is shown with what to do", async () => {
    await stripe.failPayment(stripe.subscriptions.at(-1)?.customer ?? "");
    await openPlanPage(page, slug);
    await expect(page.getByText("Payment overdue")).toBeVisible();
    await expect(page.getByText(/^The last payment failed/)).toBeVisible();
    await expectAccessible(page);
    await expectFitsPhone(page);
  });

  await test.step("it is canceled in the portal", async () => {
    await page.getByRole("button", { name: "Manage billing" }).click();
    await page.getByRole("button", { name: "Cancel plan" }).click();
    await page.getByRole("link", { name: "Return to Fuxi" }).click();
    await page.waitForURL(/settings\/plan$/);
    await untilAlive(page);
    await expect(page.getByText(/^Ends on/)).toBeVisible();
    await expect(page.getByText(/This plan ends on/)).toBeVisible();
    await page.getByRole("link", { name: "Plans and payment" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Plans and payment" })).toBeVisible();
  });
});
