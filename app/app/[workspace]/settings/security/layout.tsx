import type { ReactNode } from "react";
import { Texts } from "../../../../texts.tsx";

const texts = ["auth", "security"];

export default function SecurityLayout({ children }: { children: ReactNode }) {
  return <Texts of={texts}>{children}</Texts>;
}
