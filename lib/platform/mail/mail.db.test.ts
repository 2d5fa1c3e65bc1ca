import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startMailServer } from "../../../test/mail-server.ts";
import { openTestStores } from "../../../test/stores.ts";
import { renderEmail } from "./emails.ts";
import { outboxFilesMax, sendEmail } from "./index.ts";

const dataDir = join(tmpdir(), `fuxi-mail-${process.pid}`);
const outbox = join(dataDir, "outbox");
openTestStores({ FUXI_DATA_DIR: dataDir });

const to = { email: "ada@example.com", locale: "en" };
const values = {
  workspace: "Acme",
  inviter: "Eve",
  address: "http://localhost:3000/invite?token=x",
};

test("without a server an email is a file that only its owner can read", async () => {
  await sendEmail(to, "invitation", values);
  const [file = ""] = await readdir(outbox);
  const rendered = await readFile(join(outbox, file), "utf8");
  expect(rendered).toContain("To: ada@example.com");
  expect(rendered).toContain("Subject: Eve invited you to Acme on Fuxi");
  expect((await stat(join(outbox, file))).mode & 0o777).toBe(0o600);
});

test(`the outbox keeps ${outboxFilesMax} emails, the latest`, async () => {
  await mkdir(outbox, { recursive: true });
  const names = Array.from({ length: outboxFilesMax }, (_, at) => `0000-${at + 1000}.eml`);
  await Promise.all(names.map((name) => writeFile(join(outbox, name), "")));
  await sendEmail(to, "factorOn", {});
  const files = await readdir(outbox);
  expect(files).toHaveLength(outboxFilesMax);
  expect(files).not.toContain("0000-1000.eml");
});

test("names that people chose add neither a header nor an address nor markup to an email", () => {
  const evil =
    "x\r\nBcc: eve@example.com\u2028 <a href=https://evil.example>\u202e www.evil.example";
  for (const locale of ["en", "zh"]) {
    const rendered = renderEmail(locale, "invitation", {
      ...values,
      workspace: evil,
      inviter: evil,
    });
    expect(rendered.subject).not.toMatch(/[\r\n\u2028\u202e]/);
    expect(rendered.text + rendered.html).not.toMatch(
      /https:|www\.\S|<a href=(?!"http:\/\/localhost)/,
    );
    expect(rendered.text).not.toMatch(/\u202e/);
  }
  expect(
    renderEmail("en", "invitation", { ...values, inviter: "x".repeat(5_000) }).subject.length,
  ).toBeLessThan(200);
});

test.each([
  "https://evil.example",
  "hthttps:tps://evil.example/login",
  "wwww.ww.evil.example",
  "evil.example",
  "evil\u3002example",
  "evil\uff0eexample",
  "ｅｖｉｌ．ｅｘａｍｐｌｅ",
  "eve@evil.example",
  "mailto:eve@evil.example",
  "tel:+15550100",
  "//evil.example",
  "evil.example/invite?token=x",
  "\\\\evil\\share",
])("the name %j becomes no link in an email", (name) => {
  for (const locale of ["en", "zh"]) {
    const email = renderEmail(locale, "invitation", { ...values, workspace: name, inviter: name });
    const own = `${values.address}`;
    for (const text of [email.subject, email.text.replace(own, ""), textOf(email.html)]) {
      expect(text).not.toMatch(/\S[.\u3002\uff0e\uff61]\p{L}|:\/|:\w|@|\\/iu);
    }
  }
});

test("an ordinary name stays as it is", () => {
  const rendered = renderEmail("en", "invitation", {
    ...values,
    workspace: "Müller & Söhne Inc.",
    inviter: "O’Brien, J. R.",
  });
  expect(rendered.subject).toBe("O’Brien, J. R. invited you to Müller & Söhne Inc. on Fuxi");
});

/** The sentences of the HTML part, without the URL of the button. */
function textOf(html: string): string {
  return html.replaceAll(/<a [^>]*>|<\/?\w+>/g, " ").replaceAll(values.address, "");
}

test("with a server an email is sent to it, and never has more than one recipient", async () => {
  const server = await startMailServer();
  const { config } = await import("#lib/platform/config");
  Object.assign(config(), { FUXI_SMTP_URL: server.url });
  const before = (await readdir(outbox)).length;
  await sendEmail({ email: "ada@example.com", locale: "zh" }, "reset", {
    minutes: 60,
    address: "http://localhost:3000/reset?token=t",
  });
  expect(await readdir(outbox)).toHaveLength(before);
  const transcript = server.commands.join("");
  expect(transcript.match(/^RCPT TO:.*$/gm)).toEqual(["RCPT TO:<ada@example.com>"]);
  expect(server.messages[0]).toContain("From: Fuxi <fuxi@localhost>");
  await server.close();
});
