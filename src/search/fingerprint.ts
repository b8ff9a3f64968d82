import { createHash } from 'node:crypto'

/** A short hash of a JSON value. */
export const fingerprint = (said: unknown): string =>
  createHash('sha256').update(JSON.stringify(said)).digest('base64url').slice(0, 22)
