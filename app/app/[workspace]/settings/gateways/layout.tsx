import type { ReactNode } from "react";
import { Texts } from "../../../../texts.tsx";

const texts = ["gateways"];

export default function GatewaysLayout({ children }: { children: ReactNode }) {
  return <Texts of={texts}>{children}</Texts>;
}
