import type { ImportRequest } from '../schemas.ts'

const FEW = 10

/** Numbers of products with an offer of a full file's vendor. */
export interface UnlistedOffers {
  readonly vendor: string
  /** All products with an offer of the vendor. */
  readonly offered: number
  /** Products that the file lists, some perhaps counted repeatedly. */
  readonly listed: number
  /** Products with an offer that the file does not list. */
  readonly unlisted: number
  /** Rejected rows of unknown products, whose offers may be among the unlisted ones. */
  readonly unknown: number
  /** Number of unlisted products in an earlier question. */
  readonly asked?: number | undefined
  /** Whether others are unlisted than in that question. */
  readonly hasOthers?: boolean
  /** What happens to products that lose their last offer. */
  readonly missing?: ImportRequest['missing']
}

const text = (count: number) => count.toLocaleString('en-US')
const offers = (count: number) => `${text(count)} ${count === 1 ? 'offer' : 'offers'}`

/** The question to confirm before offers are removed; undefined when none is needed. */
export function removalQuestion(finding: UnlistedOffers): string | undefined {
  const { vendor, offered, listed, unlisted, unknown, asked = unlisted, missing = 'keep' } = finding
  const most = unlisted > FEW && unlisted > offered / 2
  // Asks even about a few, since an empty file is more often an accident than the end of a vendor.
  const all = listed === 0 || unlisted >= offered
  if (unlisted === 0 || (!most && !all && unknown === 0)) return undefined
  const doubt =
    unknown === 0
      ? ''
      : ` ${text(unknown)} rejected ${unknown === 1 ? 'row' : 'rows'} may contain some of them: see rejectsUrl.`
  const others = finding.hasOthers ? ' Some of them were not part of the previous question.' : ''
  const grown =
    unlisted > asked ? ` The previous question was about ${text(asked)} such offers.` : others
  const also = missing === 'keep' ? '' : ` and to ${missing} the products that have no other offer`
  return `The file does not list ${text(unlisted)} of the ${offers(offered)} of ${vendor}.${grown}${doubt} Confirm the task to remove them${also}, or cancel it to keep them.`
}

type Removed = 'removed' | 'hidden' | 'deleted'

/** The message about what was removed. */
export const removedText = (
  { removed = 0, hidden = 0, deleted = 0 }: Partial<Record<Removed, number>>,
  vendor: string,
): string => {
  if (removed === 0) return `The file lists all offers of ${vendor}.`
  const also = (count: number, what: string) =>
    count === 0
      ? ''
      : ` ${text(count)} ${count === 1 ? 'product' : 'products'} without other offers ${what}.`
  return `${offers(removed)} of ${vendor} removed that the file does not list.${also(hidden, 'hidden')}${also(deleted, 'deleted')}`
}
