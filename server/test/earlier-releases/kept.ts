/** What later versions must keep of a recorded data folder. */
export interface Kept {
  readonly accounts: readonly KeptAccount[];
}

export interface KeptAccount {
  readonly email: string;
  readonly password: string;
  readonly apiKey: string;
  /** Replies of the calls with this key. */
  readonly list: { readonly files: readonly { readonly name: string }[] };
  readonly info: unknown;
  readonly settings: unknown;
  /** SHA-256 of the bytes behind each link. */
  readonly digests: readonly (readonly [name: string, sha256: string])[];
  /** An upload that must not be stored again. */
  readonly keyed?: { readonly key: string; readonly text: string; readonly name: string };
  /** Names that were deleted, so that their links must not work. */
  readonly deleted: readonly string[];
}
