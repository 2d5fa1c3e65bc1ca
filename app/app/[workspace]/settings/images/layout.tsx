import type { ReactNode } from "react";
import { Texts } from "../../../../texts.tsx";

const texts = ["images"];

export default function ImagesLayout({ children }: { children: ReactNode }) {
  return <Texts of={texts}>{children}</Texts>;
}
