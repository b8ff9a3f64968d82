/**
 * A separate process that acts as another tenant: it searches continuously and checks that the
 * service is alive. When its parent sends `report`, it answers with the figures since the last
 * report.
 */
import { processMemory, resetPeak } from '../../bench/process-figures.ts'
import { quantile } from '../../bench/statistics.ts'

export interface ProbeSettings {
  readonly address: string
  readonly pid: number
  /** Headers of the tenant's requests. */
  readonly headers: Readonly<Record<string, string>>
}

export interface ProbeReport {
  readonly searches: number
  /** Searches that were not answered with 200. */
  readonly refused: number
  /** Milliseconds of a search. */
  readonly p50: number
  readonly p95: number
  /** The longest time in milliseconds that GET /api/status took, or until it failed. */
  readonly stall: number
  /** Peak memory of the service in MiB. */
  readonly peak: number
}

const SEARCH_EVERY_MS = 100
const STATUS_EVERY_MS = 25
/** Memory in MiB at which the service is killed, before the machine runs out of it. */
const TOO_MUCH = 3_000
const MEMORY_EVERY_MS = 250
const WORDS = ['cordless drill', 'notebook', 'bearing model', 'cable', 'toner wrench']

const { address, pid, headers } = JSON.parse(process.argv[2]!) as ProbeSettings
let latencies: number[] = []
let refused = 0
let stall = 0

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Milliseconds until the answer, and whether its status was 200. */
async function timed(path: string, request: RequestInit): Promise<[ms: number, ok: boolean]> {
  const started = performance.now()
  const ok = await fetch(`${address}${path}`, request).then(
    async (answer) => {
      await answer.arrayBuffer()
      return answer.status === 200
    },
    () => false,
  )
  return [performance.now() - started, ok]
}

async function search(): Promise<never> {
  for (let i = 0; ; i++) {
    const body = JSON.stringify({ keywords: WORDS[i % WORDS.length], pageSize: 10 })
    const [ms, ok] = await timed('/api/search?catalog=shop', { method: 'POST', headers, body })
    latencies.push(ms)
    if (!ok) refused++
    await pause(SEARCH_EVERY_MS)
  }
}

async function look(): Promise<never> {
  for (;;) {
    const [ms] = await timed('/api/status', {})
    stall = Math.max(stall, ms)
    await pause(STATUS_EVERY_MS)
  }
}

process.on('message', async () => {
  const { peak } = await processMemory(pid)
  const report: ProbeReport = {
    searches: latencies.length,
    refused,
    p50: quantile(latencies, 0.5),
    p95: quantile(latencies, 0.95),
    stall,
    peak,
  }
  process.send!(report)
  latencies = []
  refused = 0
  stall = 0
  await resetPeak(pid)
})
setInterval(async () => {
  const { resident } = await processMemory(pid)
  if (resident > TOO_MUCH) process.kill(pid, 'SIGKILL')
}, MEMORY_EVERY_MS)

process.on('disconnect', () => process.exit(0))

void search()
void look()
