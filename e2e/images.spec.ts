/** The list of uploaded images: where each is used, and what its deletion does. */
import { expect } from "@playwright/test";
import sharp from "sharp";
import { expectAccessible, expectFitsPhone, test, untilAlive } from "./journey.ts";

test("uploaded images are listed with their links, and deleting a used one says what happens", async ({
  page,
  workspace: { slug, make },
}) => {
  const paint = { create: { width: 1_200, height: 630, channels: 3, background: "teal" } } as const;
  const image = (await sharp(paint).png().toBuffer()).toString("base64");
  const { url } = await make<{ url: string }>("/social-images", { image });
  const body = { url: "https://example.com/", key: `pictured-${slug}`, proxy: true, image: url };
  const { shortLink } = await make<{ shortLink: string }>("/links", body);

  await page.goto(`/app/${slug}/settings/images`);
  await untilAlive(page);
  await expect(page.getByText(/^1,200 × 630 pixels/)).toBeVisible();
  await expect(page.getByText("1 link", { exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: `pictured-${slug}` })).toBeVisible();
  await expectAccessible(page);
  await expectFitsPhone(page);
  await page.getByRole("button", { name: /^Delete image from/ }).click();
  const dialog = page.getByRole("alertdialog", { name: "Delete image?" });
  await expect(dialog.getByText(/^1 link uses this image\./)).toBeVisible();
  await dialog.getByRole("button", { name: "Delete image" }).click();
  await expect(page.getByText("No images yet")).toBeVisible();
  expect((await page.request.get(shortLink, { maxRedirects: 0 })).status()).toBe(302);
});
