import { expect, test } from 'vitest'
import { parsedResponse, SizeTrackingSerializer } from '../../../src/elastic/response-size.ts'
import { sanitizePicture } from '../../../src/images/sanitize.ts'
import { chargeCpuTime } from '../../../src/platform/charge-cpu-time.ts'
import { inSteps } from '../../../src/platform/in-steps.ts'
import { inPacedSteps } from '../../../src/platform/pacing.ts'
import { processorMs } from '../../../src/platform/processor-use.ts'
import { newTrace, requestTrace } from '../../../src/platform/request-trace.ts'
import type { Steps } from '../../../src/platform/steps.ts'

/** The milliseconds charged to the caller, one for each step of the work. */
async function chargesOf(work: () => unknown): Promise<number[]> {
  const charges: number[] = []
  const trace = newTrace({ requestId: 'r', operation: 'o' })
  trace.charge = (ms) => charges.push(ms)
  await requestTrace.run(trace, async () => work())
  return charges
}

function busyFor(ms: number): void {
  for (const end = processorMs() + ms; processorMs() < end; );
}

test('work is charged by its processor time, also if it fails', async () => {
  const [ms] = await chargesOf(() => chargeCpuTime(() => busyFor(20)))
  expect(ms).toBeGreaterThanOrEqual(20)
  const failing = () => {
    throw new Error('no')
  }
  expect(await chargesOf(() => expect(() => chargeCpuTime(failing)).toThrow('no'))).toHaveLength(1)
})

test('work without a known caller is done, too', () => {
  expect(chargeCpuTime(() => 1)).toBe(1)
  expect(
    requestTrace.run(newTrace({ requestId: 'r', operation: 'o' }), chargeCpuTime, () => 1),
  ).toBe(1)
})

test.each([
  ['steps', inSteps],
  ['steps with pauses', inPacedSteps],
])('each step of long work in %s is charged', async (_, run) => {
  function* steps(): Steps<void> {
    for (let at = 0; at < 3; at++) {
      busyFor(10)
      yield
    }
  }
  const charges = await chargesOf(() => run(steps()))
  expect(charges.length).toBeGreaterThanOrEqual(3)
  expect(charges.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(30)
})

test('a large answer of Elasticsearch is charged, and a small one is not measured', async () => {
  const parse = (length: number) => () =>
    parsedResponse(new SizeTrackingSerializer().deserialize(JSON.stringify('x'.repeat(length))))
  expect(await chargesOf(parse(100_000))).toHaveLength(1)
  expect(await chargesOf(parse(100))).toHaveLength(0)
})

test('the checks of a picture are charged', async () => {
  const picture = { bytes: Buffer.alloc(100), kind: 'png', owner: 'a' } as const
  const check = () =>
    expect(sanitizePicture(picture, new AbortController().signal)).rejects.toThrow('damaged')
  expect(await chargesOf(check)).toHaveLength(1)
})
