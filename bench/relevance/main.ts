import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { STEPS } from '../../src/search/understanding/understanding.ts'
import { runCommand } from '../command.ts'
import { environmentLine, environmentOf } from '../environment.ts'
import { stopServices } from '../service.ts'
import { closeWhenInterrupted, openSession, type Session } from '../session.ts'
import { measureKnown } from './known.ts'
import type { Grades } from './metrics.ts'
import { type RelevanceOptions, readOptions, USAGE } from './options.ts'
import { RATINGS } from './products.ts'
import { askRated, ratedRow } from './rated.ts'
import { readRatings } from './ratings.ts'
import {
  knownLines,
  ratedLines,
  shoppersLines,
  shownLines,
  stepLines,
  typingLines,
} from './report.ts'
import { askShoppers, shopperQueries, shoppersRow } from './shoppers.ts'
import { openRelevanceStage, type RelevanceStage, type Shelf } from './stage.ts'
import type { StepRow } from './steps.ts'
import { measureTyping } from './typing.ts'

/** All results in order, which are printed as they come and written as JSON at the end. */
type Results = Record<string, unknown>

const say = (line: string) => process.stderr.write(`relevance: ${line}\n`)
const print = (lines: readonly string[]) => process.stdout.write(`${lines.join('\n')}\n\n`)

/** Kept indices belong to this checkout, since those of another may have other mappings. */
const KEPT = `relevance-${createHash('sha256')
  .update(import.meta.dirname)
  .digest('hex')
  .slice(0, 8)}`

async function measureRated(shelf: Shelf, ratings: ReadonlyMap<string, Grades>) {
  const answered = await askRated(ratings, shelf.search)
  const row = ratedRow(answered)
  print(ratedLines(row))
  return row
}

/** Measures with all steps, and without each of them. */
async function measureSteps(
  shelves: readonly Shelf[],
  ratings: ReadonlyMap<string, Grades>,
): Promise<StepRow[]> {
  const rows: StepRow[] = []
  const queries = await shopperQueries()
  for (const step of [undefined, ...STEPS]) {
    const changed = shelves.map((shelf) => {
      const aisle = shelf.without(new Set(step === undefined ? [] : [step]))
      return { ...shelf, search: { ...shelf.search, aisle } }
    })
    const real = changed.find(({ name }) => name === 'real')
    const rated = real && ratedRow(await askRated(ratings, real.search))
    const answered = await Promise.all(changed.map((shelf) => askShoppers(shelf, queries)))
    const { tune, held } = shoppersRow(answered.flat()).sets
    rows.push({
      ...(step === undefined ? {} : { step }),
      ...(rated ? { ndcg: rated.sides.aisle.ndcg.mean } : {}),
      shoppers: { tune: tune.share.aisle, held: held.share.aisle },
    })
  }
  print(stepLines(rows))
  return rows
}

async function showQueries(
  { search, products, name }: Shelf,
  queries: readonly string[],
  ratings: ReadonlyMap<string, Grades>,
): Promise<void> {
  for (const query of queries) {
    const found = { aisle: await search.aisle(query), plain: await search.plain(query) }
    const grades = name === 'real' ? ratings.get(query) : undefined
    print(shownLines({ catalog: name, query, found, ...(grades ? { grades } : {}) }, products))
  }
}

async function measure(
  { options, elastic }: Session<RelevanceOptions>,
  { shelves }: RelevanceStage,
): Promise<Results> {
  const { parts, catalog, show, sample } = options
  const results: Results = { options, environment: await environmentOf(elastic('service')) }
  const ratings =
    catalog === undefined
      ? new Map<string, Grades>()
      : readRatings(await readFile(join(catalog, RATINGS), 'utf8'))
  if (show.length > 0) {
    for (const shelf of shelves) await showQueries(shelf, show, ratings)
    return results
  }
  const real = shelves.find(({ name }) => name === 'real')
  if (parts.includes('rated') && real) results.rated = await measureRated(real, ratings)
  const rows = async <T>(
    measureShelf: (shelf: Shelf) => Promise<T>,
    lines: (row: T) => string[],
  ) => {
    const all: T[] = []
    for (const shelf of shelves) {
      const row = await measureShelf(shelf)
      all.push(row)
      print(lines(row))
    }
    return all
  }
  if (parts.includes('known')) {
    results.known = await rows((shelf) => measureKnown(shelf, sample), knownLines)
  }
  if (parts.includes('typing')) results.typing = await rows(measureTyping, typingLines)
  if (parts.includes('shoppers')) {
    const queries = await shopperQueries()
    const answered = await Promise.all(shelves.map((shelf) => askShoppers(shelf, queries)))
    const row = shoppersRow(answered.flat())
    results.shoppers = row
    print(shoppersLines(row))
  }
  if (parts.includes('steps')) results.steps = await measureSteps(shelves, ratings)
  return results
}

async function main(options: RelevanceOptions): Promise<void> {
  if (options.keep && !process.env.ELASTICSEARCH_URL) {
    throw new Error('--keep and --reuse need ELASTICSEARCH_URL, an Elasticsearch that stays')
  }
  const kept = options.keep ? { run: KEPT, keep: true } : {}
  const session = await openSession(options, say, kept)
  closeWhenInterrupted(session, say)
  try {
    print([environmentLine(await environmentOf(session.elastic('service')))])
    const stage = await openRelevanceStage(session)
    const results = await measure(session, stage).finally(stage.close)
    if (options.json) await writeFile(options.json, `${JSON.stringify(results, null, 2)}\n`)
  } finally {
    await stopServices()
    await session.close()
  }
}

await runCommand({ name: 'relevance', usage: USAGE, readOptions, run: main })
