/** The pictures of the guides, by their paths in the Markdown files. Made by `npm run screenshots`. */
import type { ImageFile } from "#components/site/picture";
import importsEn from "../../docs/pictures/guide-imports.en.webp";
import importsZh from "../../docs/pictures/guide-imports.zh.webp";
import passwordsEn from "../../docs/pictures/guide-passwords.en.webp";
import passwordsZh from "../../docs/pictures/guide-passwords.zh.webp";
import previewsEn from "../../docs/pictures/guide-previews.en.webp";
import previewsZh from "../../docs/pictures/guide-previews.zh.webp";
import rulesEn from "../../docs/pictures/guide-rules.en.webp";
import rulesZh from "../../docs/pictures/guide-rules.zh.webp";
import testsEn from "../../docs/pictures/guide-tests.en.webp";
import testsZh from "../../docs/pictures/guide-tests.zh.webp";

export const guidePictures: Readonly<Record<string, ImageFile>> = {
  "../pictures/guide-imports.en.webp": importsEn,
  "../pictures/guide-imports.zh.webp": importsZh,
  "../pictures/guide-passwords.en.webp": passwordsEn,
  "../pictures/guide-passwords.zh.webp": passwordsZh,
  "../pictures/guide-previews.en.webp": previewsEn,
  "../pictures/guide-previews.zh.webp": previewsZh,
  "../pictures/guide-rules.en.webp": rulesEn,
  "../pictures/guide-rules.zh.webp": rulesZh,
  "../pictures/guide-tests.en.webp": testsEn,
  "../pictures/guide-tests.zh.webp": testsZh,
};
