import type { ReactNode } from "react";
import { Texts } from "../../../../../texts.tsx";

const texts = ["sending", "linkForm.presets"];

export default function SendLayout({ children }: { children: ReactNode }) {
  return <Texts of={texts}>{children}</Texts>;
}
