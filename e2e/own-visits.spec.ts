/** A member excludes their own browser, on a page of a domain of the workspace. */
import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import { expectAccessible, test, untilAlive } from "./journey.ts";

test("a member’s visits count with bots once their browser is excluded, as do those of a network", async ({
  page,
  workspace: { slug, make },
}) => {
  const host = `go-${randomUUID().slice(0, 8)}.localhost`;
  await make("/domains", { slug: host });
  const url = "https://example.com/sale";
  const { shortLink } = await make<{ shortLink: string }>("/links", { url, domain: host });
  await page.goto(`/app/${slug}/settings`);
  await untilAlive(page);

  await test.step("networks", async () => {
    const networks = page.getByLabel("IP addresses and networks");
    await networks.fill("10.0.0.0/7");
    await page.getByRole("button", { name: "Save networks" }).click();
    await expect(page.getByText("Enter IP addresses or networks, such as")).toBeVisible();
    await networks.fill("203.0.113.0/24\n2001:db8::7");
    await page.getByRole("button", { name: "Save networks" }).click();
    await expect(page.getByText("Networks saved")).toBeVisible();
    await expectAccessible(page);
  });

  await test.step("this browser", async () => {
    const opened = page.waitForEvent("popup");
    await page.getByRole("link", { name: host }).click();
    const own = await opened;
    await expect(own.getByRole("heading", { name: "Your visits are counted" })).toBeVisible();
    await expectAccessible(own);
    await own.getByRole("button", { name: "Don’t count my visits" }).click();
    await expect(own.getByRole("heading", { name: "Your visits aren’t counted" })).toBeVisible();
    // No test opens the destination.
    await own.goto(shortLink).catch(() => undefined);
    const asked = () =>
      page.request
        .get("/api/analytics?bots=true", { headers: { "X-Fuxi-Workspace": slug } })
        .then((answer) => answer.json());
    await expect.poll(asked).toMatchObject({ clicks: 0, bots: 1 });
  });
});
