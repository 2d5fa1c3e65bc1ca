import type { ReactNode } from "react";
import { Texts } from "../../../texts.tsx";

const texts = ["linkGroup", "links"];

export default function LinksLayout({ children }: { children: ReactNode }) {
  return <Texts of={texts}>{children}</Texts>;
}
