import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { environmentLine, environmentOf } from '../environment.ts'
import { stopServices } from '../service.ts'
import { openSession, type Session } from '../session.ts'
import { measureKnown } from './known.ts'
import type { Grades } from './metrics.ts'
import { type RelevanceOptions, readOptions, USAGE } from './options.ts'
import { RATINGS } from './products.ts'
import { askRated, ratedRow } from './rated.ts'
import { readRatings } from './ratings.ts'
import { knownLines, ratedLines, shownLines } from './report.ts'
import { openRelevanceStage, type RelevanceStage, type Shelf } from './stage.ts'

/** Everything that was measured, in order: printed as it comes, and written as JSON at the end. */
type Results = Record<string, unknown>

const say = (line: string) => process.stderr.write(`relevance: ${line}\n`)
const print = (lines: readonly string[]) => process.stdout.write(`${lines.join('\n')}\n\n`)

/** Kept indices belong to this checkout: those of another may have other mappings. */
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

async function showQueries(
  { search, products, name }: Shelf,
  queries: readonly string[],
  ratings: ReadonlyMap<string, Grades>,
): Promise<void> {
  for (const query of queries) {
    const found = { aisle: await search.aisle(query), plain: await search.plain(query) }
    const grades = name === 'real' ? ratings.get(query) : undefined
    print(shownLines({ query, found, ...(grades ? { grades } : {}) }, products))
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
  if (parts.includes('known')) {
    results.known = []
    for (const shelf of shelves) {
      const row = await measureKnown(shelf, sample)
      ;(results.known as unknown[]).push(row)
      print(knownLines(row))
    }
  }
  return results
}

async function main(options: RelevanceOptions): Promise<void> {
  if (options.keep && !process.env.ELASTICSEARCH_URL) {
    throw new Error('--keep and --reuse need ELASTICSEARCH_URL, an Elasticsearch that stays')
  }
  const kept = options.keep ? { run: KEPT, keep: true } : {}
  const session = await openSession(options, say, kept)
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

function optionsOrExit(): RelevanceOptions {
  try {
    return readOptions(process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`relevance: ${(error as Error).message}\n\n${USAGE}\n`)
    process.exit(2)
  }
}

await main(optionsOrExit()).catch((error: Error) => {
  say(error.message)
  process.exitCode = 1
})
