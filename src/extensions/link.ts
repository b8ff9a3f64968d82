import { z } from 'zod'
import { limits } from '../limits.ts'

/** The URL of a link or an image, limited to schemes that browsers do not execute. */
export const Link = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .max(limits.valueLength)
  .nullish()
  .transform((url) => url || null)
