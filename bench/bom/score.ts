import type { MadeLine } from './lines.ts'

interface Match {
  readonly productId: string
  readonly qty: string | null
}

/** The service's answer for one line. */
export interface AnsweredLine {
  readonly made: MadeLine
  readonly text: string
  readonly matched: readonly Match[]
  readonly possible: readonly Match[]
}

export interface Share {
  readonly right: number
  readonly of: number
}

/** How well lines were matched. */
export interface BomScore {
  /** Lines whose identifier belongs to one product: correct if that product is the match. */
  readonly unique: Share
  /**
   * Lines whose identifier belongs to several: correct if all are possible and none is the match.
   */
  readonly several: Share
  /** Lines of words: correct if the product is among the first three possible ones. */
  readonly words: Share
  /** Lines whose product was found: correct if the quantity is the line's. */
  readonly quantities: Share
  /** Lines for which a wrong product was called the match. */
  readonly wrong: Share
  /** Descriptions of those lines, and of unique identifiers that were not matched. */
  readonly faults: readonly string[]
}

const FIRST = 3

export function scoreOf(answers: readonly AnsweredLine[]): BomScore {
  const share = (of: readonly AnsweredLine[], isRight: (one: AnsweredLine) => boolean): Share => ({
    right: of.filter(isRight).length,
    of: of.length,
  })
  const named = answers.filter(({ made }) => made.product !== null && made.fitting.length > 0)
  const unique = named.filter(({ made }) => made.fitting.length === 1)
  const several = named.filter(({ made }) => made.fitting.length > 1)
  const wrong = answers.filter(isWrong)
  const missed = unique.filter((one) => !isMatched(one))
  return {
    unique: share(unique, isMatched),
    several: share(several, ({ made, matched, possible }) => {
      const shown = new Set(possible.map(({ productId }) => productId))
      return matched.length === 0 && made.fitting.every((id) => shown.has(id))
    }),
    words: share(
      answers.filter(({ made }) => made.kind === 'words'),
      ({ made, matched, possible }) =>
        [...matched, ...possible]
          .slice(0, FIRST)
          .some(({ productId }) => productId === made.product),
    ),
    quantities: share(
      answers.filter(({ matched }) => matched.length > 0),
      ({ made, matched }) =>
        matched[0]!.qty === (made.quantity === null ? null : `${made.quantity}`),
    ),
    wrong: { right: wrong.length, of: answers.length },
    faults: [
      ...wrong.map((one) => faultOf('wrong', one)),
      ...missed.filter((one) => !isWrong(one)).map((one) => faultOf('not matched', one)),
    ],
  }
}

const isMatched = ({ made, matched }: AnsweredLine): boolean =>
  matched.some(({ productId }) => productId === made.product)

const isWrong = ({ made, matched }: AnsweredLine): boolean =>
  matched.some(({ productId }) => productId !== made.product)

const faultOf = (what: string, { made, text, matched }: AnsweredLine): string =>
  `${what}: ${JSON.stringify(text)} means ${made.product ?? 'nothing'}` +
  (matched.length > 0 ? `, matched ${matched.map(({ productId }) => productId).join(', ')}` : '')

export const percent = ({ right, of }: Share): string =>
  of === 0 ? '–' : `${((100 * right) / of).toFixed(2)} %`
