import { icpRegister } from "#lib/basics/formats/schema";
import { config } from "#lib/platform/config";

/** The ICP number of the instance, if it has one. */
export function IcpNumber() {
  const { FUXI_ICP: number } = config();
  if (number === undefined) return null;
  return (
    <a
      href={icpRegister}
      rel="nofollow noreferrer"
      lang="zh-CN"
      className="rounded-sm py-1 text-ink-muted text-sm hover:text-ink"
    >
      {number}
    </a>
  );
}
