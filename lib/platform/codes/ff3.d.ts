declare module "ff3" {
  // biome-ignore lint/style/noDefaultExport: the package has one
  export default class FF3Cipher {
    constructor(key: string, tweak: string, radix: number);
    encrypt(plaintext: string): string;
    decrypt(ciphertext: string): string;
  }
}
