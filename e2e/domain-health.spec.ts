import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import { raiseDomainAlarm } from "../test/domain-alarms.ts";
import { expectAccessible, expectFitsPhone, siteOrigin, test, untilAlive } from "./journey.ts";

test("an app that seems to block a domain is shown with its evidence, and dismissed", async ({
  page,
  context,
  workspace: { slug, make },
}) => {
  const host = `go-${randomUUID().slice(0, 8)}.localhost`;
  await make("/domains", { slug: host });
  await raiseDomainAlarm(host);
  await page.goto(`/app/${slug}/domains/${host}`);
  await untilAlive(page);
  const card = page.getByRole("region", { name: "Health" });
  await expect(card.getByRole("heading", { name: `WeChat seems to block ${host}` })).toBeVisible();
  await expect(card.getByText("2 of 612 visits came from WeChat (0.3%)")).toBeVisible();
  await expect(card.getByRole("link", { name: "weixin110.qq.com" })).toBeVisible();
  await expect(card.getByRole("row", { name: /QQ As usual 3.1% 5.1%/ })).toBeVisible();
  await expect(card.getByText("Let's Encrypt")).toBeVisible();

  await expectAccessible(page);

  await context.addCookies([{ name: "locale", value: "zh", url: siteOrigin }]);
  await expectFitsPhone(page);
  await page.reload();
  await untilAlive(page);
  const chinese = page.getByRole("region", { name: "健康状况" });
  await expect(chinese.getByRole("heading", { name: `${host} 可能已被微信拦截` })).toBeVisible();
  await chinese.getByRole("button", { name: "忽略告警：微信" }).click();
  await expect(chinese.getByRole("heading", { name: "微信：已忽略告警" })).toBeVisible();
  await chinese.getByText("不会再为此应用告警").waitFor();
});
