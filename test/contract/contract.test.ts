import { beforeAll, describe, expect, test } from 'vitest'
import { STATUS } from '../../src/errors.ts'
import { failureStatuses } from '../../src/openapi/statuses.ts'
import { startService } from '../support/service.ts'
import { cases, strayContracts } from './contracts.ts'
import { record, recordedOf, recording, shownAnswer, shownRequest } from './examples.ts'
import { outside } from './outside.ts'
import { failed, prepare, send, weakest } from './send.ts'
import { newWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld(await startService({ outbound: outside }))
})

const parsed = cases.map((one) => [one.title, one] as const)

test('every contract belongs to an operation of the table', () => {
  expect(strayContracts).toEqual([])
})

describe.each(parsed)('%s', (_, one) => {
  const { operation, binding, contract, revision } = one

  test('is in a file of test/contract/features', () => {
    expect(contract).toBeDefined()
  })
  if (!contract) return

  test('returns its schema, as its documentation shows it', async () => {
    const sent = await prepare(contract.ok, world, weakest(operation))
    const answer = await send(one, sent, { world })
    expect([answer.status, answer.body.message]).toEqual([200, answer.body.message])
    if (typeof binding.answer === 'string') return
    binding.answer.parse(answer.body)
    expect(answer.headers.get('content-type')).toBe(`application/json; x-api-version=${revision}`)
    const request = shownRequest(sent, world.organization.id)
    const shown = { ...request, answer: shownAnswer(answer.body, world.organization.id) }
    if (recording) record(one, shown)
    const recorded = recordedOf(one)
    expect({ ...recorded, answer: undefined }, 'npm run examples renews it').toEqual({
      ...request,
      answer: undefined,
    })
    binding.answer.parse(recorded?.answer)
  })

  const documented = failureStatuses(operation, binding)

  test('has a request for each of its failures', () => {
    const own = operation.fails.map((code) => STATUS[code])
    const shown = Object.keys(contract.fails ?? {}).map(Number)
    const generic: number[] = [STATUS.tooManyRequests, STATUS.unavailable]
    expect(shown).toEqual(expect.arrayContaining(own.filter((code) => !generic.includes(code))))
    expect(documented).toEqual(expect.arrayContaining(shown))
  })

  for (const [status, sending] of Object.entries(contract.fails ?? {})) {
    test(`returns ${status}`, async () => {
      const sent = await prepare(sending, world, weakest(operation))
      failed(one, await send(one, sent, { world }), Number(status))
    })
  }
})
