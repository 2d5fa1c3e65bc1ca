/** An authenticator of passkeys in memory: an ES256 key, its counter, and the flags that it sets. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";

const flagBits = { present: 0x01, verified: 0x04, credential: 0x40 };
const aaguidBytes = 16;

interface Ceremony {
  challenge: string;
  rpId?: string;
  rp?: { id?: string };
}

export class Authenticator {
  origin = "http://localhost:3000";
  /** Zero: it does not count, as passkeys of Apple and Google. */
  counter = 1;
  verifiesUser = true;
  readonly id = randomBytes(16).toString("base64url");
  readonly #keys = generateKeyPairSync("ec", { namedCurve: "P-256" });

  create({ challenge, rp }: Ceremony): string {
    const clientDataJSON = this.#clientData("webauthn.create", challenge);
    const authData = Buffer.concat([
      this.#authData(rp?.id ?? "", flagBits.credential),
      Buffer.alloc(aaguidBytes),
      lengthOf(this.id),
      Buffer.from(this.id, "base64url"),
      coseKeyOf(this.#keys.publicKey),
    ]);
    const entries: [string, string | Map<string, never> | Uint8Array][] = [
      ["fmt", "none"],
      ["attStmt", new Map<string, never>()],
      ["authData", Uint8Array.from(authData)],
    ];
    const attestationObject = Buffer.from(isoCBOR.encode(new Map(entries))).toString("base64url");
    return this.#answer({ clientDataJSON, attestationObject, transports: ["internal"] });
  }

  sign({ challenge, rpId = "" }: Ceremony): string {
    if (this.counter > 0) this.counter += 1;
    const clientDataJSON = this.#clientData("webauthn.get", challenge);
    const authenticatorData = this.#authData(rpId, 0);
    const hash = createHash("sha256").update(Buffer.from(clientDataJSON, "base64url")).digest();
    const signature = sign(
      "sha256",
      Buffer.concat([authenticatorData, hash]),
      this.#keys.privateKey,
    );
    return this.#answer({
      clientDataJSON,
      authenticatorData: authenticatorData.toString("base64url"),
      signature: signature.toString("base64url"),
    });
  }

  #answer(response: object): string {
    const { id } = this;
    return JSON.stringify({
      id,
      rawId: id,
      type: "public-key",
      clientExtensionResults: {},
      response,
    });
  }

  #clientData(type: string, challenge: string): string {
    const data = { type, challenge, origin: this.origin, crossOrigin: false };
    return Buffer.from(JSON.stringify(data)).toString("base64url");
  }

  #authData(rpId: string, more: number): Buffer {
    const verified = this.verifiesUser ? flagBits.verified : 0;
    const tail = Buffer.alloc(5);
    tail.writeUInt8(flagBits.present | verified | more, 0);
    tail.writeUInt32BE(this.counter, 1);
    return Buffer.concat([createHash("sha256").update(rpId).digest(), tail]);
  }
}

function lengthOf(id: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(Buffer.from(id, "base64url").length);
  return length;
}

/** COSE: kty EC2, alg ES256, crv P-256, x, y. */
function coseKeyOf(key: KeyObject): Uint8Array {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const bytes = (text: string) => Uint8Array.from(Buffer.from(text, "base64url"));
  const entries: [number, number | Uint8Array][] = [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, bytes(x)],
    [-3, bytes(y)],
  ];
  return isoCBOR.encode(new Map(entries));
}
