import type { ReactNode } from "react";
import { Texts } from "../../../texts.tsx";

const texts = ["contacts"];

export default function ContactsLayout({ children }: { children: ReactNode }) {
  return <Texts of={texts}>{children}</Texts>;
}
