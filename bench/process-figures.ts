import { readFile, writeFile } from 'node:fs/promises'
import type { Elastic } from '../src/elastic/client.ts'

/** Clock ticks of /proc per second: 100 on every Linux that Node runs on. */
const TICKS = 100

/** Microseconds of processor time that a process has used; NaN without /proc. */
export async function processCpu(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) / TICKS) * 1e6
}

/** Microseconds of processor time that all nodes of Elasticsearch have used. */
export async function engineCpu({ client }: Elastic): Promise<number> {
  const { nodes } = await client.nodes.stats({ metric: 'process' })
  const millis = Object.values(nodes).map(({ process }) => process?.cpu?.total_in_millis ?? 0)
  return millis.reduce((sum, one) => sum + one, 0) * 1_000
}

export interface Memory {
  /** Current and highest resident memory in MiB. */
  readonly resident: number
  readonly peak: number
}

/** Resident memory of a process; NaN without /proc. */
export async function processMemory(pid: number): Promise<Memory> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const mebibytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? Number.NaN) / 1_024
  return { resident: mebibytes('VmRSS'), peak: mebibytes('VmHWM') }
}

/** Resets the highest value to the current one. */
export async function resetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => undefined)
}
