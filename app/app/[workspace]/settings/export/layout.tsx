import type { ReactNode } from "react";
import { Texts } from "../../../../texts.tsx";

const texts = ["takeouts"];

export default function ExportLayout({ children }: { children: ReactNode }) {
  return <Texts of={texts}>{children}</Texts>;
}
