import { notFound } from "next/navigation";
import { AppError } from "#lib/platform/errors";

export interface ObjectPageProps {
  params: Promise<{ id: string }>;
}

/** A page about an object; one that does not exist is a page that does not exist. */
export async function orMissing<T>(viewing: Promise<T>): Promise<T> {
  try {
    return await viewing;
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") notFound();
    throw error;
  }
}
