import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'

export const tooMuchCounted = (): Invalid =>
  new Invalid(
    `The facet and category counts are larger than ${limits.countedBytes} bytes. Set includeMetadata to false, narrow the search, or shorten the names of categories and facets.`,
  )

export const tooLargeTogether = (): Invalid =>
  new Invalid(
    `The answers would be larger than ${limits.answerBytes} bytes together. Send fewer searches at once, reduce pageSize, or set includeMetadata to false.`,
  )

export const answerTooLarge = (most: number = limits.answerBytes): Invalid =>
  new Invalid(
    `The response would be larger than ${most} bytes. Request fewer products or entries at once, for example with ids or pageSize.`,
  )
