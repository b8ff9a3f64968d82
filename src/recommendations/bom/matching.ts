import type { CatalogScope } from '../../catalogs/store.ts'
import { multiSearch } from '../../elastic/multi-search.ts'
import type { SearchBody } from '../../elastic/search.ts'
import { Invalid } from '../../errors.ts'
import type { Language } from '../../languages/language.ts'
import { limits } from '../../limits.ts'
import type { Context } from '../../operation.ts'
import { inSteps } from '../../platform/in-steps.ts'
import { inPacedSteps, mapPaced } from '../../platform/pacing.ts'
import { slicesOf } from '../../platform/slices.ts'
import type { Steps } from '../../platform/steps.ts'
import { manufacturerNamesOf, spellingsIn } from '../../products/manufacturers.ts'
import { foundProductsOf } from '../../products/product-documents.ts'
import { candidateOf, type ProductCandidate, type ReadProduct, readProduct } from './fit.ts'
import { type AskedLine, lineOf, type UnreadList } from './line.ts'
import { createMakers, type Makers } from './makers.ts'
import { decideMatch, type MatchDecision } from './match-decision.ts'
import type { JudgedProduct, JudgedSource } from './product.ts'
import { identifierBody, wordsBody } from './queries.ts'
import { ranked } from './ranking.ts'
import type { SheetRow } from './sheet.ts'

/** The manufacturers of a catalog. */
export async function makersOf(ctx: Context, scope: CatalogScope): Promise<Makers> {
  const names = await manufacturerNamesOf(ctx)
  const products = foundProductsOf(ctx, scope)
  const options = { signal: ctx.signal }
  const spellings = await spellingsIn(products, limits.listedNames, options)
  return inSteps(createMakers(names, spellings))
}

/** The products found for a line. */
export interface FoundLine {
  readonly line: AskedLine
  readonly matched: ProductCandidate | undefined
  readonly possible: readonly ProductCandidate[]
  /** Whether numbers alone decided; otherwise words were searched too. */
  readonly byNumber: boolean
}

/** Lines per round trip. */
const AT_ONCE = 100

/**
 * Finds the products of a list, first by numbers, then by words for lines that are still open.
 * Throws Invalid for a long list that takes too long.
 */
export async function matchList(
  ctx: Context,
  scope: CatalogScope,
  { list: { rows, roles }, makers }: { list: UnreadList; makers: Makers },
): Promise<FoundLine[]> {
  const found: FoundLine[] = []
  for (const slice of slicesOf(rows, AT_ONCE)) {
    try {
      const lines = await linesOf(slice, { roles, makers, ctx })
      found.push(...(await matchSome(ctx, scope, { lines, makers })))
    } catch (error) {
      if (!ctx.signal.aborted || rows.length <= AT_ONCE) throw error
      throw new Invalid(`The request timed out. Send the list in parts of up to ${AT_ONCE} lines.`)
    }
  }
  return found
}

interface ListUnderstanding extends Pick<UnreadList, 'roles'> {
  readonly makers: Makers
  readonly ctx: Pick<Context, 'signal'>
}

/** Parses lines, yielding to other work. Throws the reason of the signal. */
export const linesOf = (
  rows: readonly SheetRow[],
  { roles, makers, ctx }: ListUnderstanding,
): Promise<AskedLine[]> => mapPaced(ctx.signal, rows, (row) => lineOf(row, roles, makers))

/** A line, and the products found by a search for it. */
interface LineHits {
  readonly line: AskedLine
  readonly products: readonly JudgedProduct[]
}

/**
 * Compares each line with its products, yielding to other work. Each product is prepared once.
 * Throws the reason of the signal.
 */
export const candidatesOf = (
  ctx: Pick<Context, 'signal'>,
  hits: readonly LineHits[],
  makers: Makers,
): Promise<ProductCandidate[][]> => inPacedSteps(compared(hits, makers), { signal: ctx.signal })

function* compared(hits: readonly LineHits[], makers: Makers): Steps<ProductCandidate[][]> {
  const read = new Map<string, ReadProduct>()
  const candidates: ProductCandidate[][] = []
  for (const { line, products } of hits) {
    const found: ProductCandidate[] = []
    for (const product of products) {
      const known = read.get(product.id) ?? (yield* readProduct(product))
      read.set(product.id, known)
      found.push(candidateOf(line, known, makers))
      yield
    }
    candidates.push(found)
  }
  return candidates
}

interface LineMatching {
  readonly lines: readonly AskedLine[]
  readonly makers: Makers
}

async function matchSome(
  ctx: Context,
  scope: CatalogScope,
  { lines, makers }: LineMatching,
): Promise<FoundLine[]> {
  const byNumber = await candidatesFor(ctx, scope, { lines, makers, body: identifierBody })
  const decisions = await mapPaced(ctx.signal, lines, (line, at) =>
    decideMatch(line, byNumber[at]!),
  )
  const open = lines.filter((_, at) => decisions[at]!.open)
  const byWords = await candidatesFor(ctx, scope, { lines: open, makers, body: wordsBody })
  const described = new Map(open.map((line, at) => [line, byWords[at]!]))
  return lines.map((line, at) => {
    const { matched, possible, open: isOpen }: MatchDecision = decisions[at]!
    const all = isOpen ? ranked(possible, described.get(line) ?? []) : possible
    return { line, matched, possible: all, byNumber: !isOpen }
  })
}

interface CandidateSearch extends LineMatching {
  body(line: AskedLine, makers: Makers, language: Language): SearchBody | undefined
}

async function candidatesFor(
  ctx: Context,
  scope: CatalogScope,
  { lines, makers, body }: CandidateSearch,
): Promise<ProductCandidate[][]> {
  const { signal } = ctx
  const made = await mapPaced(signal, lines, (line) => body(line, makers, scope.language))
  const asked = lines.filter((_, at) => made[at] !== undefined)
  const bodies = made.filter((one) => one !== undefined)
  const { place } = foundProductsOf(ctx, scope)
  const found: ProductCandidate[][] = []
  for await (const answers of multiSearch<JudgedSource>(ctx.elastic, place, bodies, { signal })) {
    const hits = answers.map((answer, at) => ({
      line: asked[found.length + at]!,
      products: answer.hits.hits.map(({ _source }) => _source!.product),
    }))
    found.push(...(await candidatesOf(ctx, hits, makers)))
  }
  const next = found.values()
  return made.map((one) => (one === undefined ? [] : next.next().value!))
}
