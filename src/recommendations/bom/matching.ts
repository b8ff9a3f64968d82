import { setImmediate } from 'node:timers/promises'
import type { CatalogScope } from '../../catalogs/store.ts'
import { multiSearch } from '../../elastic/multi-search.ts'
import type { SearchBody } from '../../elastic/search.ts'
import { Invalid } from '../../errors.ts'
import type { Language } from '../../languages/language.ts'
import { limits } from '../../limits.ts'
import type { Context } from '../../operation.ts'
import { manufacturerNamesOf } from '../../products/manufacturers.ts'
import { foundProductsOf } from '../../products/product-documents.ts'
import { candidateOf, type ProductCandidate } from './fit.ts'
import { type Judgement, judge } from './judge.ts'
import { type AskedLine, lineOf, type UnreadList } from './line.ts'
import { createMakers, type Makers } from './makers.ts'
import type { JudgedSource } from './product.ts'
import { identifierBody, wordsBody } from './queries.ts'
import { ranked } from './ranking.ts'
import type { SheetRow } from './sheet.ts'

/** The manufacturers of a catalog. */
export async function makersOf(ctx: Context, scope: CatalogScope): Promise<Makers> {
  const names = await manufacturerNamesOf(ctx)
  const answer = await foundProductsOf(ctx, scope).search(
    {
      size: 0,
      track_total_hits: false,
      aggs: { names: { terms: { field: 'search.manufacturer', size: limits.listedNames } } },
    },
    { signal: ctx.signal },
  )
  const { buckets } = answer.aggregations!.names as unknown as { buckets: { key: string }[] }
  return createMakers(
    names,
    buckets.map(({ key }) => key),
  )
}

/** What was found for a line. */
export interface FoundLine {
  readonly line: AskedLine
  readonly matched: ProductCandidate | undefined
  readonly possible: readonly ProductCandidate[]
  /** It may be one of several that have its number; else words were asked too. */
  readonly byNumber: boolean
}

/** Lines that one round trip asks for. */
const AT_ONCE = 100

/**
 * Finds the products of a list: by numbers first, then by words those lines that are still open.
 * Throws Invalid for a long list that takes too long.
 */
export async function matchList(
  ctx: Context,
  scope: CatalogScope,
  { list: { rows, roles }, makers }: { list: UnreadList; makers: Makers },
): Promise<FoundLine[]> {
  const found: FoundLine[] = []
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    try {
      const lines = await linesOf(rows.slice(from, from + AT_ONCE), { roles, makers, ctx })
      found.push(...(await matchSome(ctx, scope, { lines, makers })))
    } catch (error) {
      if (!ctx.signal.aborted || rows.length <= AT_ONCE) throw error
      throw new Invalid(`The list takes too long; send it in parts of up to ${AT_ONCE} lines.`)
    }
  }
  return found
}

/** Milliseconds for which lines are understood in one go; then others get their turn. */
const GO_MS = 10

interface ListUnderstanding extends Pick<UnreadList, 'roles'> {
  readonly makers: Makers
  readonly ctx: Pick<Context, 'signal'>
}

/** What lines ask for; others get their turn meanwhile. Throws the reason of the signal. */
export async function linesOf(
  rows: readonly SheetRow[],
  { roles, makers, ctx: { signal } }: ListUnderstanding,
): Promise<AskedLine[]> {
  const lines: AskedLine[] = []
  let began = performance.now()
  for (const row of rows) {
    lines.push(lineOf(row, roles, makers))
    if (performance.now() - began < GO_MS) continue
    await setImmediate()
    signal.throwIfAborted()
    began = performance.now()
  }
  return lines
}

async function matchSome(
  ctx: Context,
  scope: CatalogScope,
  { lines, makers }: { lines: readonly AskedLine[]; makers: Makers },
): Promise<FoundLine[]> {
  const byNumber = await candidatesFor(ctx, scope, { lines, makers, body: identifierBody })
  const judged = lines.map((line, at) => judge(line, byNumber[at]!))
  const open = lines.filter((_, at) => judged[at]!.open)
  const byWords = await candidatesFor(ctx, scope, { lines: open, makers, body: wordsBody })
  const described = new Map(open.map((line, at) => [line, byWords[at]!]))
  return lines.map((line, at) => {
    const { matched, possible, open: isOpen }: Judgement = judged[at]!
    const all = isOpen ? ranked(possible, described.get(line) ?? []) : possible
    return { line, matched, possible: all, byNumber: !isOpen }
  })
}

async function candidatesFor(
  ctx: Context,
  scope: CatalogScope,
  {
    lines,
    makers,
    body,
  }: {
    lines: readonly AskedLine[]
    makers: Makers
    body: (line: AskedLine, makers: Makers, language: Language) => SearchBody | undefined
  },
): Promise<ProductCandidate[][]> {
  const bodies = lines.map((line) => body(line, makers, scope.language))
  const asked = bodies.filter((one) => one !== undefined)
  const { place } = foundProductsOf(ctx, scope)
  const answers = await multiSearch<JudgedSource>(ctx.elastic, place, asked, { signal: ctx.signal })
  let next = 0
  return lines.map((line, at) => {
    if (bodies[at] === undefined) return []
    const { hits } = answers[next++]!.hits
    return hits.map(({ _source }) => candidateOf(line, _source!.product, makers))
  })
}
