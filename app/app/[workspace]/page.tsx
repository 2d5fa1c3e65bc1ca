import { redirect } from "next/navigation";

interface WorkspacePageProps {
  params: Promise<{ workspace: string }>;
}

export default async function WorkspacePage({ params }: WorkspacePageProps) {
  redirect(`/app/${(await params).workspace}/links`);
}
