import { getTranslations } from "next-intl/server";
import { icpRegister } from "#lib/basics/formats/schema";
import { config } from "#lib/platform/config";

const look = "rounded-sm py-1 text-ink-muted text-sm hover:text-ink";

/** The ICP number of the instance and a link to its source code, if they are set. */
export async function FooterLinks() {
  const { FUXI_ICP: number, FUXI_SOURCE_URL: source } = config();
  const t = await getTranslations("site");
  return (
    <>
      {number === undefined ? null : (
        <a href={icpRegister} rel="nofollow noreferrer" lang="zh-CN" className={look}>
          {number}
        </a>
      )}
      {source === undefined ? null : (
        <a href={source} rel="noreferrer" className={look}>
          {t("source")}
        </a>
      )}
    </>
  );
}
