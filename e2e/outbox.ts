/** The emails of the instance under test, which has no mail server. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";

/** The latest email to an address that has a text, once it has arrived. */
export async function findEmail(email: string, text: string): Promise<string> {
  const folder = process.env["TEST_OUTBOX"] ?? "";
  const find = () => {
    const files = existsSync(folder) ? readdirSync(folder).sort().reverse() : [];
    return files
      .map((file) => readFileSync(join(folder, file), "utf8"))
      .filter((mail) => mail.includes(`To: ${email}`))
      .map((mail) => mail.replaceAll("=\r\n", "").replaceAll("=3D", "="))
      .find((mail) => mail.includes(text));
  };
  await expect.poll(find, { message: `an email to ${email}` }).toBeDefined();
  return find() ?? "";
}
