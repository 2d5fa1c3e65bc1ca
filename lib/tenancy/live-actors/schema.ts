/** What the owner of a session has to give now. All false: the proof is fresh. */
export interface MissingProof {
  password: boolean;
  /** Of the second factor. */
  code: boolean;
  /** A new sign-in, for an account that has neither a password nor a second factor. */
  signIn: boolean;
}
