/** Makes photos small enough for an upload: the server scales them down to the same size anyway. */
import { uploadBytesMax } from "#lib/links/social-images/schema";

export const imageTypes = ["image/png", "image/jpeg", "image/webp"];
const widthMax = 1_200;
const heightMax = 630;
const quality = 0.9;

/** The file itself where it is small enough, or cannot be read: the server then says why. */
export async function fitImage(file: File): Promise<Blob> {
  if (file.size <= uploadBytesMax || !imageTypes.includes(file.type)) return file;
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (!bitmap) return file;
  const scale = Math.min(1, widthMax / bitmap.width, heightMax / bitmap.height);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d");
  if (!context) return file;
  // A JPEG has no transparency; without a background it would be black.
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const small = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, "image/jpeg", quality),
  );
  return small ?? file;
}
