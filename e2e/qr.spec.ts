import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import sharp from "sharp";
import { renderPdf } from "../test/pdf.ts";
import { readQrCode } from "../test/zbar.ts";
import { expectAccessible, test, untilAlive } from "./journey.ts";

async function saved(page: Page, button: string, ending: string): Promise<string> {
  const started = page.waitForEvent("download");
  await page.getByRole("button", { name: button, exact: true }).click();
  const download = await started;
  expect(download.suggestedFilename()).toContain(ending);
  const file = test.info().outputPath(download.suggestedFilename());
  await download.saveAs(file);
  return file;
}

test("a code is designed, kept as the default, downloaded and read", async ({
  page,
  workspace: { slug, make },
}) => {
  const key = `poster-${randomUUID().slice(0, 8)}`;
  const { id, shortLink } = await make<{ id: string; shortLink: string }>("/links", {
    url: "https://example.com/poster",
    key,
  });
  await page.goto(`/app/${slug}/links/${id}`);
  await untilAlive(page);
  await page.getByRole("link", { name: "Customize and download" }).click();
  await page.waitForURL("**/qr");
  const picture = page.getByRole("img", { name: `QR code for ${shortLink}?qr=1` });
  const pictured = (group: string, option: string) =>
    page
      .getByRole("group", { name: group, exact: true })
      .getByRole("radio", { name: option, exact: true });
  await expect(picture).toBeVisible();

  await test.step("look, colors and logo", async () => {
    const dots = page.getByRole("group", { name: "Dots", exact: true });
    await dots.getByRole("radio", { name: "Square" }).press("ArrowRight");
    await expect(dots.getByRole("radio", { name: "Rounded" })).toBeChecked();
    await pictured("Corner dots", "Round").check({ force: true });
    await pictured("Gradient", "Linear").check({ force: true });
    await expect(page.getByLabel("Gradient color", { exact: true })).toHaveValue("#2563eb");
    await page.getByLabel("Background color", { exact: true }).fill("#101010");
    await expect(page.getByRole("status").filter({ hasText: "too similar" })).toBeVisible();
    await expect(page.getByRole("button", { name: "PNG", exact: true })).toBeDisabled();
    await expectAccessible(page);
    await page.getByLabel("Background color", { exact: true }).fill("#fff7e6");
    await page.getByLabel("Dot color", { exact: true }).fill("#1e3a8a");
    const logo = { width: 64, height: 64, channels: 3 as const, background: "#d0402b" };
    await page.getByLabel("Logo image").setInputFiles({
      name: "logo.svg",
      mimeType: "image/svg+xml",
      buffer: Buffer.from(
        "<svg xmlns='http://www.w3.org/2000/svg'><image href='https://example.com/a.png'/></svg>",
      ),
    });
    await expect(page.getByText("This image can’t be used.")).toBeVisible();
    await page.getByLabel("Logo image").setInputFiles({
      name: "logo.png",
      mimeType: "image/png",
      buffer: await sharp({ create: logo }).png().toBuffer(),
    });
    await expect(page.getByRole("button", { name: "Logo 1" })).toHaveAttribute(
      "aria-pressed",
      "true",
    );
    await expect(page.getByRole("radio", { name: "H 30%" })).toBeChecked();
    await pictured("Frame", "Label").check({ force: true });
    await page.getByLabel("Caption").fill("Scan 안녕");
    await expect(page.getByText("No font has these characters: 안 녕.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Save design" })).toBeDisabled();
    await page.getByLabel("Caption").fill("Scan <me>");
    await expect(picture).toHaveAttribute("data-state", "fresh");
  });

  await test.step("a template that new codes begin with", async () => {
    await page.getByRole("button", { name: "Save as template" }).click();
    const dialog = page.getByRole("dialog", { name: "Save as template" });
    await dialog.getByLabel("Name").fill("Autumn");
    await dialog.getByRole("switch", { name: "Use for new QR codes" }).click();
    await dialog.getByRole("button", { name: "Save template" }).click();
    await expect(dialog).toBeHidden();
    await page.reload();
    await untilAlive(page);
    await expect(page.getByLabel("Start from")).toHaveText("Autumn (default)");
    await expect(page.getByLabel("Caption")).toHaveValue("Scan <me>");
  });

  await test.step("the design is saved with its link", async () => {
    await page.getByLabel("Caption").fill("Own design");
    await pictured("Gradient", "Radial").check({ force: true });
    await page.getByRole("button", { name: "Save design" }).click();
    await expect(page.getByText("Design saved for this link.")).toBeVisible();
    await page.reload();
    await untilAlive(page);
    await expect(page.getByLabel("Start from")).toHaveText("Saved with this link");
    await expect(page.getByLabel("Caption")).toHaveValue("Own design");
    await page.getByLabel("Caption").fill("Scan <me>");
    await expect(picture).toHaveAttribute("data-state", "fresh");
  });

  await test.step("files that are read back", async () => {
    const png = await saved(page, "PNG", ".png");
    expect(await readQrCode(png)).toBe(`${shortLink}?qr=1`);
    const svg = await saved(page, "SVG", ".svg");
    expect(readFileSync(svg, "utf8")).not.toContain("<text");
    const millimeters = page.getByLabel("PDF width (mm)");
    await millimeters.fill("9");
    await expect(page.getByText("Enter 10 to 1,000.")).toBeVisible();
    await expect(page.getByRole("button", { name: "PDF", exact: true })).toBeDisabled();
    await millimeters.fill("62.5");
    const pdf = await saved(page, "PDF", ".pdf");
    expect(await readQrCode(await renderPdf(pdf, 150))).toBe(`${shortLink}?qr=1`);
    const [, points = 0] = /MediaBox \[0 0 ([\d.]+)/.exec(readFileSync(pdf, "latin1")) ?? [];
    expect(Number(points)).toBeCloseTo((62.5 / 25.4) * 72, 2);
  });

  await test.step("the saved design on the page of the link, and in its editor", async () => {
    await page.goto(`/app/${slug}/links/${id}`);
    await untilAlive(page);
    const shown = page.getByRole("img", { name: `QR code for ${shortLink}?qr=1` });
    const drawn = Buffer.from(
      (await shown.getAttribute("src"))?.split(",")[1] ?? "",
      "base64",
    ).toString();
    // The default template has a linear one.
    expect(drawn).toContain("radialGradient");
    await page.getByRole("button", { name: "Edit", exact: true }).first().click();
    const small = page.getByRole("img", {
      name: `QR code for ${new URL(shortLink).hostname}/${key}`,
    });
    await expect(small).toHaveAttribute("src", new RegExp(`design=${id}`));
    await expect
      .poll(() => small.evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBe(256);
    await page.keyboard.press("Escape");
  });

  await test.step("a reset design is that of the default template", async () => {
    await page.goto(`/app/${slug}/links/${id}/qr`);
    await untilAlive(page);
    await page.getByRole("button", { name: "Reset design" }).click();
    await expect(page.getByText("Design reset.")).toBeVisible();
    await expect(page.getByLabel("Start from")).toHaveText("Autumn (default)");
    await page.reload();
    await untilAlive(page);
    await expect(page.getByLabel("Start from")).toHaveText("Autumn (default)");
    await expect(page.getByRole("button", { name: "Reset design" })).toBeHidden();
    await expect(pictured("Gradient", "Linear")).toBeChecked();
  });

  await test.step("the codes of selected links", async () => {
    await page.goto(`/app/${slug}/links`);
    await untilAlive(page);
    // The list is hydrated after the page around it, and handles keys from then on.
    await expect(async () => {
      await page.keyboard.press("j");
      await page.keyboard.press("x");
      await expect(page.getByText("1 selected", { exact: true })).toBeVisible({ timeout: 2_000 });
    }).toPass({ timeout: 120_000 });
    await page.getByRole("button", { name: "QR codes" }).click();
    await expect(page.getByRole("dialog").getByLabel("Template")).toHaveText("Design of each link");
    await expectAccessible(page);
    const archive = await saved(page, "Download ZIP", ".zip");
    expect(readFileSync(archive).includes(`${key}.png`)).toBe(true);
  });
});

test("unsaved changes of a design are not lost by leaving the page, in the app or with the tab", async ({
  page,
  workspace: { slug, make },
}) => {
  const { id } = await make<{ id: string }>("/links", { url: "https://example.com/unsaved" });
  const studio = `/app/${slug}/links/${id}/qr`;
  await page.goto(`/app/${slug}/links/${id}`);
  await untilAlive(page);
  await page.getByRole("link", { name: "Customize and download" }).click();
  await page.waitForURL("**/qr");
  const dots = page.getByRole("group", { name: "Dots", exact: true });
  const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
  const change = () => dots.getByRole("radio", { name: "Rounded" }).check({ force: true });
  const stay = async () => {
    await expect(question).toBeVisible();
    await question.getByRole("button", { name: "Cancel" }).click();
    await expect(question).toBeHidden();
    await expect(page).toHaveURL(studio);
    await expect(dots.getByRole("radio", { name: "Rounded" })).toBeChecked();
  };
  await change();

  await test.step("by a link, with the back button and in the command menu", async () => {
    await page.getByRole("link", { name: "Domains" }).click();
    await expect(question).toBeVisible();
    await stay();
    await page.goBack();
    await stay();
    await page.keyboard.press("Control+k");
    await page.getByRole("option", { name: "Tags" }).click();
    await stay();
  });

  await test.step("by closing the tab", async () => {
    const asked = page.waitForEvent("dialog");
    await page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe("beforeunload");
    await dialog.dismiss();
  });

  await test.step("nothing asks once it is saved, and a confirmed question leaves", async () => {
    await page.getByRole("button", { name: "Save design" }).click();
    await expect(page.getByText("Design saved for this link.")).toBeVisible();
    await page.getByRole("link", { name: "Domains" }).click();
    await page.waitForURL(`**/app/${slug}/domains`);
    await page.goBack();
    await page.waitForURL("**/qr");
    await expect(dots.getByRole("radio", { name: "Rounded" })).toBeChecked();
    await dots.getByRole("radio", { name: "Square" }).check({ force: true });
    await page.goBack();
    await question.getByRole("button", { name: "Leave page" }).click();
    await page.waitForURL(`**/links/${id}`);
  });
});
