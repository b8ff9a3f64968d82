import { getHeapStatistics } from 'node:v8'
import { Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'

const MIB = 1024 ** 2

export const tooMuchMemory = (): Invalid =>
  new Invalid(`The file takes more than ${limits.threadHeapMib} MiB of memory to read.`)

/** Throws Invalid if the buffers of this thread take too much, which no limit of its heap covers. */
export function checkBuffers(): void {
  if (getHeapStatistics().external_memory > limits.threadHeapMib * MIB) throw tooMuchMemory()
}
