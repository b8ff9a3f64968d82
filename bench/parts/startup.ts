import { jsonOf } from '../http.ts'
import { CATALOG } from '../organization.ts'
import type { StartupRow } from '../report.ts'
import { startService } from '../service.ts'
import type { Session } from '../session.ts'
import type { Stage } from '../stage.ts'
import { median } from '../statistics.ts'

const STARTS = 7

/** Seconds from starting the process to the first answered search, with Elasticsearch running. */
export async function measureStartup(session: Session, stage: Stage): Promise<StartupRow> {
  const { headers } = stage.organization
  const body = JSON.stringify({ pageSize: 10 })
  const answersSearch = async (origin: string) => {
    const answer = await fetch(`${origin}/api/search?catalog=${CATALOG}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    })
    const text = Buffer.from(await answer.arrayBuffer())
    if (answer.status === 503) return false
    const { products } = jsonOf<{ products: unknown[] }>(
      { status: answer.status, type: '', body: text },
      'first search',
    )
    return products.length > 0
  }
  const seconds: number[] = []
  for (let i = 0; i < STARTS; i++) {
    const started = performance.now()
    const service = await startService(session.serviceOptions(stage.name), answersSearch)
    seconds.push((performance.now() - started) / 1_000)
    await service.stop()
  }
  return { seconds, median: median(seconds) }
}
