/** Sent once and not stored: callers that need retries send from a job. */
import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SendMailOptions, Transporter } from "nodemailer";
import { config } from "#lib/platform/config";
import { log } from "#lib/platform/log";
import { type EmailName, type EmailValues, renderEmail } from "./emails.ts";

export type { EmailName, EmailValues } from "./emails.ts";

const connectTimeoutMs = 5_000;
const answerTimeoutMs = 15_000;
export const outboxFilesMax = 500;

export interface Recipient {
  email: string;
  locale: string;
}

export async function sendEmail(
  to: Recipient,
  name: EmailName,
  values: EmailValues,
): Promise<void> {
  const { FUXI_SMTP_URL, FUXI_MAIL_FROM, FUXI_DATA_DIR } = config();
  const mail = { from: FUXI_MAIL_FROM, to: { name: "", address: to.email } };
  const email = { ...mail, ...renderEmail(to.locale, name, values) };
  if (FUXI_SMTP_URL) await (await server(FUXI_SMTP_URL)).sendMail(email);
  else await keepInOutbox(join(FUXI_DATA_DIR, "outbox"), email);
  log.info({ event: "letter.sent", name });
}

let opened: Transporter | undefined;

async function mailer() {
  return (await import("nodemailer")).default;
}

async function server(url: string): Promise<Transporter> {
  opened ??= (await mailer()).createTransport({
    url,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: answerTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return opened;
}

async function keepInOutbox(folder: string, email: SendMailOptions): Promise<void> {
  const transport = (await mailer()).createTransport({ streamTransport: true, buffer: true });
  const { message } = await transport.sendMail(email);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Emails contain sign-in tokens, so other users of this machine must not read them.
  const file = `${new Date().toISOString().replaceAll(":", "-")}-${randomUUID().slice(0, 8)}.eml`;
  await writeFile(join(folder, file), message, { mode: 0o600, flag: "wx" });
  const files = (await readdir(folder)).filter((one) => one.endsWith(".eml")).sort();
  const old = files.slice(0, Math.max(0, files.length - outboxFilesMax));
  await Promise.all(old.map((one) => rm(join(folder, one), { force: true })));
}
