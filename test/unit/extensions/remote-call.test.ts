import { expect, test } from 'vitest'
import { field } from '../../../src/extensions/fields.ts'
import { realtimeResponse } from '../../../src/extensions/realtime-answer.ts'
import { answers } from '../../../src/extensions/remote-answers.ts'
import { readAnswer } from '../../../src/extensions/remote-call.ts'
import { createAdmission } from '../../../src/platform/admission.ts'
import { atOnce } from '../../../src/platform/steps.ts'
import { matchItems } from '../../../src/realtime/match-items.ts'
import { expectStepsBelow } from '../../support/expect-steps.ts'
import { oddObjects } from '../../support/odd-objects.ts'
import { identity } from '../realtime/make.ts'

const { signal } = new AbortController()
const requests = createAdmission({ capacity: 8, waiting: Infinity, what: 'requests' })
const remote = { name: 'Tidewell', url: 'https://tidewell.example', fields: [], secret: () => '' }
const call = {
  ctx: { organization: { id: 'acme', parent: null }, signal, requests },
  installed: { fields: {} },
  request: null,
} as never

async function* bodyOf(text: string) {
  yield Buffer.from(text)
}

/** What is read of an answer with this body, or why it is refused. */
const read = (answer: (typeof answers)['realtime' | 'recommendation' | 'import'], text: string) => {
  const headers = { 'content-type': 'application/json' }
  const got = { status: 200, headers, body: bodyOf(text) }
  return readAnswer(remote, got, { answer, call, signal }).catch((error: Error) => error.message)
}

test('a control character in an item of a vendor concerns that item alone', async () => {
  const texts = [
    '{"vendorPartNumber":"A-1","cost":1}',
    '{"vendorPartNumber":"B-2","status":"\\u0007","cost":2}',
    '{"vendorPartNumber":"C\\u0007","cost":3}',
    '{"vendorPartNumber":"D-4","__proto__":{"a":1},"cost":4}',
    '{"vendorPartNumber":"E-5","description":"\\ud800","cost":5}',
  ]
  const answer = await read(answers.realtime, `{"items":[${texts.join(',')}]}`)
  const { items } = atOnce(realtimeResponse(answer as never))
  const products = ['A-1', 'B-2', 'D-4', 'E-5'].map((vendorPartNumber) =>
    identity({ vendorPartNumber }),
  )
  const { results, faults } = atOnce(matchItems(products, items))
  expect(results.map(({ item, error }) => item?.cost ?? error)).toEqual([
    1,
    'The response is invalid: item.status: control characters are not allowed.',
    4,
    'The response is invalid: item.description: unpaired surrogates are not allowed.',
  ])
  expect(faults.map((fault) => fault.slice(0, 4))).toEqual(['B-2:', 'C?: ', 'E-5:'])
})

test('other texts with control characters refuse the answer, unless they are not used', async () => {
  const reason = (place: string) =>
    `Tidewell sent an invalid response: answer.${place}: control characters are not allowed`
  expect(await read(answers.realtime, '{"items":[],"error":"a\\u0007"}')).toBe(reason('error'))
  const product = '{"products":["a\\u0007"]}'
  expect(await read(answers.recommendation, product)).toBe(reason('products[0]'))
  expect(await read(answers.import, '{"fileUrl":"a\\u0007"}')).toBe(reason('fileUrl'))
  const unused = '{"products":["a"],"trace":"a\\u0007"}'
  expect(await read(answers.recommendation, unused)).toMatchObject({ products: ['a'] })
})

test('protected values longer than an answer are not looked for in it', async () => {
  const fields = [field('key', 'Key', { protected: true })]
  const key = '^'.repeat(8_000_000)
  const got = () => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: bodyOf('{"items":[],"error":"^^^^^^"}'),
  })
  const installed = { fields: { key } }
  const asked = { answer: answers.realtime, call: { ...(call as object), installed }, signal }
  const began = process.threadCpuUsage()
  for (let n = 0; n < 10; n++) {
    const said = await readAnswer({ ...remote, fields }, got(), asked as never)
    expect(said).toMatchObject({ error: '^^^^^^' })
  }
  const { user, system } = process.threadCpuUsage(began)
  expect((user + system) / 1_000).toBeLessThan(300)
})

test('a large answer is parsed in steps, whatever names its objects have', async () => {
  const text = `{"items":[],"others":${oddObjects()}}`
  await read(answers.realtime, text)
  let said: unknown
  await expectStepsBelow(60, async () => {
    said = await read(answers.realtime, text)
  })
  expect(said).toMatchObject({ items: [] })
})
