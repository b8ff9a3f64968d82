import { z } from 'zod'
import { limits } from '../limits.ts'

/** An address that is shown as a link or a picture: nothing that a browser would run. */
export const Link = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .max(limits.valueLength)
  .nullish()
  .transform((url) => url || null)
