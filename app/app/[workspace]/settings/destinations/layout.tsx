import type { ReactNode } from "react";
import { Texts } from "../../../../texts.tsx";

const texts = ["destinations", "listJob"];

export default function DestinationsLayout({ children }: { children: ReactNode }) {
  return <Texts of={texts}>{children}</Texts>;
}
