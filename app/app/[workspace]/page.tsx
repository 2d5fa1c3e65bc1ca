import { redirect } from "next/navigation";
import type { PageOf } from "../../pages.tsx";

export default async function WorkspacePage({ params }: PageOf<"workspace">) {
  redirect(`/app/${(await params).workspace}/links`);
}
