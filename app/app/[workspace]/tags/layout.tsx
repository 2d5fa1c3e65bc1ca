import type { ReactNode } from "react";
import { Texts } from "../../../texts.tsx";

const texts = ["named", "tags"];

export default function TagsLayout({ children }: { children: ReactNode }) {
  return <Texts of={texts}>{children}</Texts>;
}
