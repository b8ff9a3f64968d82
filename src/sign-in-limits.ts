/** Limits of tokens and of their issuers: part of `limits`. */
export const signInLimits = {
  /** Characters of a token for signing in. Headers have 16 KiB together. */
  tokenLength: 12 * 1024,
  /** Seconds by which the clock of its issuer may be wrong. */
  tokenToleranceSeconds: 30,
  /** Characters of the subject of a token. */
  subjectLength: 255,
  /** Milliseconds for which an issuer's keys are cached while it is reachable. */
  issuerKeysMs: 10 * 60_000,
  /** Milliseconds for which an issuer is not asked again, whatever tokens arrive. */
  issuerRestMs: 30_000,
  /** Milliseconds that each of the two calls to an issuer may take. */
  issuerMs: 2_000,
  /** Bytes of an issuer's answer. */
  issuerBytes: 256 * 1024,
} as const
