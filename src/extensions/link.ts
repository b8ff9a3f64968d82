import { z } from 'zod'
import { UrlText } from '../shapes.ts'

/** The URL of a link or an image, limited to schemes that browsers do not execute. */
export const Link = UrlText.check(
  z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }),
)
  .nullish()
  .transform((url) => url || null)
