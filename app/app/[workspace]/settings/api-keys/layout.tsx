import type { ReactNode } from "react";
import { Texts } from "../../../../texts.tsx";

const texts = ["apiKeys"];

export default function ApiKeysLayout({ children }: { children: ReactNode }) {
  return <Texts of={texts}>{children}</Texts>;
}
