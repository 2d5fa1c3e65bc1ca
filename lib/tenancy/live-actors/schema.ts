/** What the owner still has to prove. All false: the proof is fresh. */
export interface MissingProof {
  password: boolean;
  code: boolean;
  /** A new sign-in, for accounts without a password and second factor. */
  signIn: boolean;
  /** The sign-in is one at the workspace’s OpenID provider. */
  sso?: true;
}
