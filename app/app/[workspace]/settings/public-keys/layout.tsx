import type { ReactNode } from "react";
import { Texts } from "../../../../texts.tsx";

const texts = ["publicKeys"];

export default function PublicKeysLayout({ children }: { children: ReactNode }) {
  return <Texts of={texts}>{children}</Texts>;
}
