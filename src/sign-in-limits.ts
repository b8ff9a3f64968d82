/** Limits of tokens and of those who make them: part of `limits`. */
export const signInLimits = {
  /** Characters of a token by which somebody signed in: headers as a whole have 16 KiB. */
  tokenLength: 12 * 1024,
  /** Seconds by which the clock of its issuer may be wrong. */
  tokenToleranceSeconds: 30,
  /** Characters of the subject of a token. */
  subjectLength: 255,
  /** Milliseconds for which an issuer's keys are believed while it can be asked. */
  issuerKeysMs: 10 * 60_000,
  /** Milliseconds for which an issuer is not asked again, whatever tokens come. */
  issuerRestMs: 30_000,
  /** Milliseconds that each of the two calls to an issuer may take. */
  issuerMs: 2_000,
  /** Bytes of what an issuer answers. */
  issuerBytes: 256 * 1024,
} as const
