import type { ReactNode } from "react";
import { Texts } from "../../../../texts.tsx";

const texts = ["audit"];

export default function AuditLayout({ children }: { children: ReactNode }) {
  return <Texts of={texts}>{children}</Texts>;
}
