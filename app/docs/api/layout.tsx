import type { ReactNode } from "react";
import { Texts } from "../../texts.tsx";

const texts = ["reference"];

export default function ReferenceLayout({ children }: { children: ReactNode }) {
  return <Texts of={texts}>{children}</Texts>;
}
