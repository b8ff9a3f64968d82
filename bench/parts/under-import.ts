import { connect } from '../http.ts'
import { type Action, type Measured, openLoop } from '../load.ts'
import { openOrganization } from '../organization.ts'
import type { UnderImportRow } from '../report.ts'
import type { Session } from '../session.ts'
import type { Stage } from '../stage.ts'
import { quantile } from '../statistics.ts'

const SEARCHES_PER_SECOND = 20
const BLOCKS = 4

/** Measures the search latency of one organization with and without an import of another. */
export async function measureUnderImport(
  session: Session,
  stage: Stage,
  actions: readonly Action[],
): Promise<UnderImportRow> {
  const { options } = session
  const importer = await openOrganization(stage.service.origin, 'importer')
  const target = connect(stage.service.origin, { connections: 64 })
  const seconds = BLOCKS * options.seconds
  const search = (stop?: AbortSignal): Promise<Measured> =>
    openLoop({
      target,
      actions,
      seconds,
      perSecond: SEARCHES_PER_SECOND,
      ...(stop ? { stop } : {}),
    })
  try {
    const url = await importer.upload(await session.productFile(options.products))
    await search()
    const before = await search()
    const over = new AbortController()
    const importing = importer.import(url).finally(() => over.abort())
    const during = await search(over.signal)
    const importRate = (await importer.rowsProcessed()) / during.seconds
    await importing
    const after = await search()
    const quiet = [...before.latencies, ...after.latencies]
    return {
      perSecond: SEARCHES_PER_SECOND,
      quiet: quantilesOf(quiet),
      during: quantilesOf(during.latencies),
      searches: during.latencies.length,
      errors: before.errors + during.errors + after.errors,
      importRate,
    }
  } finally {
    await target.close()
    await importer.close()
  }
}

const quantilesOf = (latencies: readonly number[]) => ({
  p50: quantile(latencies, 0.5),
  p95: quantile(latencies, 0.95),
  p99: quantile(latencies, 0.99),
})
