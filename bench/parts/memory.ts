import { openOrganization } from '../organization.ts'
import { processMemory, resetPeak } from '../process-figures.ts'
import type { MemoryRow } from '../report.ts'
import { startService } from '../service.ts'
import type { Session } from '../session.ts'
import { quantile } from '../statistics.ts'

const SAMPLE_MS = 1_000

/** Measures the service's memory during an import, and the latency of status calls meanwhile. */
export async function measureMemory(session: Session): Promise<MemoryRow> {
  const { rows, format } = session.options
  const file = await session.productFile(rows, format)
  const service = await startService(session.serviceOptions('memory'))
  const organization = await openOrganization(service.origin, 'bench')
  const samples: number[] = []
  const statusMs: number[] = []
  const sample = async () => {
    samples.push((await processMemory(service.pid)).resident)
    const asked = performance.now()
    await fetch(`${service.origin}/api/status`).then((answer) => answer.text())
    statusMs.push(performance.now() - asked)
  }
  try {
    const { resident: idle } = await processMemory(service.pid)
    const url = await organization.upload(file)
    const { peak: uploadPeak } = await processMemory(service.pid)
    await resetPeak(service.pid)
    const timer = setInterval(() => void sample(), SAMPLE_MS)
    const { seconds, created } = await organization
      .import(url, format)
      .finally(() => clearInterval(timer))
    if (created !== rows) throw new Error(`void: imported ${created} of ${rows} rows`)
    const { peak } = await processMemory(service.pid)
    const at = (share: number) => samples[Math.floor(share * (samples.length - 1))] ?? Number.NaN
    return {
      rows,
      format,
      idle,
      uploadPeak,
      peak,
      quarters: [at(0.25), at(0.5), at(0.75), at(1)],
      rate: rows / seconds,
      statusP99: quantile(statusMs, 0.99),
    }
  } finally {
    await organization.close()
    await service.stop()
    await session.drop('memory')
  }
}
