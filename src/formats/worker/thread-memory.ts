import { getHeapStatistics } from 'node:v8'
import { Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'

const MIB = 1024 ** 2

export const tooMuchMemory = (mib: number = limits.threadHeapMib): Invalid =>
  new Invalid(`The file takes more than ${mib} MiB of memory to read.`)

/** Throws Invalid if the buffers of this thread take too much, which no limit of its heap covers. */
export function checkBuffers(): void {
  // Buffers that are not collected yet count as well.
  const bytes = getHeapStatistics().external_memory
  if (bytes > limits.threadBufferMib * MIB) throw tooMuchMemory(limits.threadBufferMib)
}
