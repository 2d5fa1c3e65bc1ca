import type { ReactNode } from "react";
import { Texts } from "../../../../texts.tsx";

const texts = [
  "analytics",
  "calendar",
  "history",
  "linkForm.rules",
  "linkPage",
  "qr",
  "retirement",
  "shares",
];

export default function LinkLayout({ children }: { children: ReactNode }) {
  return <Texts of={texts}>{children}</Texts>;
}
