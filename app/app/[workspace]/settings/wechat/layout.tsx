import type { ReactNode } from "react";
import { Texts } from "../../../../texts.tsx";

const texts = ["wechat"];

export default function WechatLayout({ children }: { children: ReactNode }) {
  return <Texts of={texts}>{children}</Texts>;
}
