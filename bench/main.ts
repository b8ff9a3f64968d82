import { writeFile } from 'node:fs/promises'
import { bomLines } from './bom/report.ts'
import { runCommand } from './command.ts'
import { environmentLine, environmentOf } from './environment.ts'
import { type Options, type Part, readOptions, USAGE } from './options.ts'
import { measureBom } from './parts/bom.ts'
import { measureEncodings } from './parts/encodings.ts'
import { measureFloor } from './parts/floor.ts'
import { measureGrowth } from './parts/growth.ts'
import { measureHalfLoad } from './parts/half-load.ts'
import { measureHot } from './parts/hot.ts'
import { measureImport } from './parts/import.ts'
import { measureMemory } from './parts/memory.ts'
import { measureOddTexts } from './parts/odd-texts.ts'
import { measureOrganizations } from './parts/organizations.ts'
import { measurePages } from './parts/pages.ts'
import { measurePriceLists } from './parts/price-lists.ts'
import { measureControl, measureRequests, prepareRequests } from './parts/requests.ts'
import { measureStartup } from './parts/startup.ts'
import { measureStatus } from './parts/status.ts'
import { measureUnderImport } from './parts/under-import.ts'
import { measureWrites } from './parts/writes.ts'
import { serviceActions } from './replay.ts'
import {
  encodingsLines,
  growthLines,
  halfLoadLines,
  importLines,
  memoryLines,
  oddTextsLines,
  organizationsLines,
  pagesLines,
  priceListsLines,
  requestLines,
  startupLines,
  statusLines,
  underImportLines,
  writesLines,
} from './report.ts'
import { stopServices } from './service.ts'
import { closeWhenInterrupted, openSession, type Session } from './session.ts'
import { openStage } from './stage.ts'

/** All results in order, which are printed as they come and written as JSON at the end. */
type Results = Record<string, unknown>

const say = (line: string) => process.stderr.write(`bench: ${line}\n`)
const print = (lines: readonly string[]) => process.stdout.write(`${lines.join('\n')}\n\n`)

const NEED_CATALOG: readonly Part[] = [
  'control',
  'search',
  'simple',
  'count',
  'metadata',
  'quicksearch',
  'product',
  'hot',
  'pages',
  'odd-texts',
  'half-load',
  'encodings',
  'startup',
  'under-import',
]

/** Measures the parts that use one service with one catalog. */
async function measureStage(session: Session, results: Results): Promise<void> {
  const { parts, products } = session.options
  const stage = await openStage(session, { name: 'main', products })
  try {
    const workloads = await prepareRequests(session, stage)
    const middle = workloads.find((one) => one.part === 'search' && one.hitClass === 'middle')
    const rows: unknown[] = []
    results.requests = rows
    if (parts.includes('control') && middle) {
      const row = await measureControl(session, stage, middle)
      rows.push(row)
      print(requestLines(row))
    }
    for (const workload of workloads.filter(({ part }) => parts.includes(part))) {
      const row = await measureRequests(session, stage, workload)
      rows.push(row)
      print(requestLines(row))
      if (!parts.includes('floor')) continue
      const floor = await measureFloor(session, stage, workload)
      rows.push(floor)
      print(requestLines(floor))
    }
    if (parts.includes('hot')) {
      for (const row of await measureHot(session, stage, workloads)) {
        rows.push(row)
        print(requestLines(row))
      }
    }
    if (parts.includes('pages')) {
      const row = await measurePages(session, stage)
      results.pages = row
      print(pagesLines(row))
    }
    if (parts.includes('odd-texts')) {
      const row = await measureOddTexts(stage)
      results.oddTexts = row
      print(oddTextsLines(row))
    }
    if (parts.includes('half-load') && middle) {
      const halves = await measureHalfLoad(session, stage, middle)
      results.halfLoad = halves
      for (const row of halves) print(halfLoadLines(row))
    }
    if (parts.includes('encodings') && middle) {
      const row = await measureEncodings(session, stage, middle)
      results.encodings = row
      print(encodingsLines(row))
    }
    if (parts.includes('startup')) {
      const row = await measureStartup(session, stage)
      results.startup = row
      print(startupLines(row))
    }
    if (parts.includes('under-import') && middle) {
      const row = await measureUnderImport(session, stage, serviceActions(middle.recorded))
      results.underImport = row
      print(underImportLines(row))
    }
  } finally {
    await stage.close()
  }
}

async function measure(session: Session): Promise<Results> {
  const { parts } = session.options
  const results: Results = { options: session.options }
  const environment = await environmentOf(session.elastic('main'))
  results.environment = environment
  print([environmentLine(environment), `${session.options.products.toLocaleString('en')} products`])
  if (parts.some((part) => NEED_CATALOG.includes(part))) await measureStage(session, results)
  if (parts.includes('import')) {
    const row = await measureImport(session)
    results.import = row
    print(importLines(row))
  }
  if (parts.includes('status')) {
    const row = await measureStatus(session)
    results.status = row
    print(statusLines(row))
  }
  if (parts.includes('memory')) {
    const row = await measureMemory(session)
    results.memory = row
    print(memoryLines(row))
  }
  if (parts.includes('growth')) {
    const rows = await measureGrowth(session)
    results.growth = rows
    for (const row of rows) print(growthLines(row))
  }
  if (parts.includes('bom')) {
    const row = await measureBom(session)
    results.bom = row
    print(bomLines(row))
  }
  if (parts.includes('writes')) {
    const rows = await measureWrites(session)
    results.writes = rows
    for (const row of rows) print(writesLines(row))
  }
  if (parts.includes('organizations')) {
    const rows = await measureOrganizations(session)
    results.organizations = rows
    for (const row of rows) print(organizationsLines(row))
  }
  if (parts.includes('price-lists')) {
    const row = await measurePriceLists(session)
    results.priceLists = row
    print(priceListsLines(row))
  }
  return results
}

async function main(options: Options): Promise<void> {
  const session = await openSession(options, say)
  closeWhenInterrupted(session, say)
  try {
    const results = await measure(session)
    if (options.out) await writeFile(options.out, `${JSON.stringify(results, null, 2)}\n`)
  } finally {
    await stopServices()
    await session.close()
  }
}

await runCommand({ name: 'bench', usage: USAGE, readOptions, run: main })
