import type { ReactNode } from "react";
import { Texts } from "../../../../texts.tsx";

const texts = ["optOuts"];

export default function OptOutsLayout({ children }: { children: ReactNode }) {
  return <Texts of={texts}>{children}</Texts>;
}
