/** Sent once and not stored: callers that need retries send from a job. */
import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SendMailOptions, Transporter } from "nodemailer";
import { z } from "zod";
import { config } from "#lib/platform/config";
import { log } from "#lib/platform/log";
import { type EmailName, type EmailValues, type RenderedEmail, renderEmail } from "./emails.ts";

export { type EmailName, type EmailValues, escapeHtml, unlinked } from "./emails.ts";

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
  await deliver(to.email, renderEmail(to.locale, name, values));
  log.info({ event: "letter.sent", name });
}

async function deliver(address: string, rendered: SendMailOptions): Promise<void> {
  const { FUXI_SMTP_URL, FUXI_MAIL_FROM, FUXI_DATA_DIR } = config();
  const email = { from: FUXI_MAIL_FROM, to: { name: "", address }, ...rendered };
  if (FUXI_SMTP_URL) await (await server(FUXI_SMTP_URL)).sendMail(email);
  else await keepInOutbox(join(FUXI_DATA_DIR, "outbox"), email);
}

export interface Bulletin extends RenderedEmail {
  images: readonly { cid: string; png: Buffer }[];
  /** Stops these emails by a POST, as mail programs send it (RFC 8058). */
  unsubscribeUrl: string;
}

/**
 * `deferred`: the server did not take it, and may later. `unknown`: the connection ended before its answer, so it may have
 * been sent.
 */
export type MailOutcome = "sent" | "refused" | "deferred" | "unknown";

/** For emails that must never be sent twice: says what became of the email instead of throwing. */
export async function sendBulletin(address: string, bulletin: Bulletin): Promise<MailOutcome> {
  const { images, unsubscribeUrl, ...rendered } = bulletin;
  const email: SendMailOptions = {
    ...rendered,
    attachments: images.map(({ cid, png }) => ({
      cid,
      content: png,
      contentType: "image/png",
      contentDisposition: "inline",
      filename: `${cid}.png`,
    })),
    headers: {
      "List-Unsubscribe": `<${unsubscribeUrl}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      "Auto-Submitted": "auto-generated",
    },
  };
  try {
    await deliver(address, email);
    return "sent";
  } catch (error) {
    return outcomeOf(error);
  }
}

const failure = z.object({
  responseCode: z.number().optional().catch(undefined),
  code: z.string().optional().catch(undefined),
  syscall: z.string().optional().catch(undefined),
});
/** Nodemailer reports these before it sends the message. */
const earlyCodes: readonly (string | undefined)[] = ["EDNS", "EAUTH", "ETLS"];

function outcomeOf(error: unknown): MailOutcome {
  const { responseCode, code, syscall } = failure.parse(error);
  if (earlyCodes.includes(code)) return "deferred";
  if (responseCode !== undefined) return responseCode >= 500 ? "refused" : "deferred";
  if (code === "EENVELOPE") return "refused";
  return syscall === "connect" ? "deferred" : "unknown";
}

/** Asked before emails that must not be sent twice: a connection that fails later does not tell what was sent. */
export async function isMailServerUp(): Promise<boolean> {
  const { FUXI_SMTP_URL } = config();
  if (!FUXI_SMTP_URL) return true;
  return await (await server(FUXI_SMTP_URL)).verify().catch(() => false);
}

let opened: { url: string; transport: Transporter } | undefined;

async function mailer() {
  return (await import("nodemailer")).default;
}

async function server(url: string): Promise<Transporter> {
  if (opened?.url === url) return opened.transport;
  const transport = (await mailer()).createTransport({
    url,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: answerTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  opened = { url, transport };
  return transport;
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
