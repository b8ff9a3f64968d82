import { hash } from 'node:crypto'

/** A short hash of a JSON value. */
export const fingerprint = (said: unknown): string =>
  hash('sha256', JSON.stringify(said), 'base64url').slice(0, 22)
