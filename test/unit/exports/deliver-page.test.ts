import { describe, expect, test } from 'vitest'
import {
  deliverPage,
  isAccepted,
  pageId,
  readReceiverAnswer,
  retryDelay,
} from '../../../src/exports/deliver-page.ts'
import { productsWithExternalId } from '../../../src/exports/send-pages.ts'
import { limits } from '../../../src/limits.ts'
import { OutboundFailure } from '../../../src/platform/outbound/failure.ts'
import { viewProduct } from '../../../src/products/view.ts'
import { productOf } from '../../support/catalog.ts'

interface Given {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** Delivers page 7 to a receiver that gives these answers in turn, and repeats the last one. */
async function delivered(...answers: readonly (Given | OutboundFailure)[]) {
  const pauses: number[] = []
  let posts = 0
  const told = await deliverPage({
    page: 7,
    async post() {
      const answer = answers[Math.min(posts++, answers.length - 1)]!
      if (answer instanceof OutboundFailure) throw answer
      const { status = 200, headers = {}, body = '' } = answer
      const products = isAccepted({ status }) ? await readReceiverAnswer(Buffer.from(body)) : []
      return { status, headers, products }
    },
    now: () => new Date('2026-03-01T00:00:00Z'),
    async pause(ms) {
      pauses.push(ms)
    },
  }).catch((error: Error) => error.message)
  return { told, posts, pauses }
}

describe('the delivery of a page', () => {
  test('ends when it is accepted', async () => {
    expect(await delivered({ status: 204 })).toEqual({ told: [], posts: 1, pauses: [] })
  })

  test('is retried after temporary failures, at growing intervals', async () => {
    const busy = { status: 429, headers: { 'retry-after': '3' } }
    const late = new OutboundFailure('late')
    const { posts, pauses } = await delivered({ status: 503 }, late, busy, {})
    expect([posts, pauses]).toEqual([4, [500, 1_000, 3_000]])
    const until = { status: 503, headers: { 'retry-after': 'Sun, 01 Mar 2026 00:00:09 GMT' } }
    expect((await delivered(until, {})).pauses).toEqual([9_000])
  })

  test('is given up after eight attempts within a minute', async () => {
    const { told, posts, pauses } = await delivered({ status: 500 })
    expect(told).toBe(
      'The receiver did not accept page 7 after 8 attempts. It responded with status 500.',
    )
    expect(posts).toBe(8)
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000])
  })

  test.each([new OutboundFailure('redirect'), new OutboundFailure('tooLarge'), { status: 404 }])(
    'is given up at once when it is refused',
    async (answer) => {
      const { told, posts } = await delivered(answer)
      expect(posts).toBe(1)
      expect(told).toMatch(/^The receiver did not accept page 7\. /)
    },
  )

  test('waits no longer than half a minute, whatever the receiver asks', () => {
    expect(retryDelay(1, 999_999_000)).toBe(30_000)
    expect(retryDelay(1, undefined)).toBe(500)
  })

  test('reads the ids of products, and nothing else', async () => {
    const body = '{"products":[{"id":"A1","externalId":" x1 ","price":5}],"more":true}'
    expect((await delivered({ body })).told).toEqual([{ id: 'A1', externalId: 'x1' }])
    for (const other of ['', 'ok', '"products"', '[1]', '{"product":[]}']) {
      expect((await delivered({ body: other })).told).toEqual([])
    }
    expect((await delivered({ body: '{"products":[{}]}' })).told).toMatch(
      /answer\.products\[0\]\.id/,
    )
    const control = JSON.stringify({ products: [{ id: 'A1', externalId: 'a\u001fb' }] })
    expect((await delivered({ body: control })).told).toMatch(/answer\.products\[0\]\.externalId/)
    const tooLong = JSON.stringify({ products: [{ id: 'A1', externalId: 'x'.repeat(300) }] })
    expect((await delivered({ body: tooLong })).told).toMatch(/answer\.products\[0\]\.externalId/)
  })

  test('reads a large answer in steps, and checks only what it uses', async () => {
    const products = Array.from({ length: limits.idsPerRequest }, (_, at) => ({ id: `A${at}` }))
    const more = Array.from({ length: 190_000 }, () => 'a\u0007')
    const reading = readReceiverAnswer(Buffer.from(JSON.stringify({ products, more })))
    let turns = 0
    let others = setImmediate(function inTurn() {
      turns++
      others = setImmediate(inTurn)
    })
    expect(await reading).toEqual(products)
    clearImmediate(others)
    expect(turns).toBeGreaterThan(0)
  })

  test('has an id derived from its content', () => {
    expect(pageId('{"page":1}')).toBe(pageId('{"page":1}'))
    expect(pageId('{"page":2}')).not.toBe(pageId('{"page":1}'))
  })
})

test('ids count only for products on the page', () => {
  const viewer = { organization: 'acme', username: 'ada', keyType: 'full' } as const
  const page = ['A1', 'A2'].map((id) =>
    viewProduct({ product: productOf({ id }, 'tools') }, viewer),
  )
  const told = [
    { id: 'A1', externalId: 'x1' },
    { id: 'A2', catalog: 'other', externalId: 'x2' },
    { id: 'A3', externalId: 'x3' },
  ]
  expect(productsWithExternalId(page, told)).toEqual([
    { id: 'A1', catalog: 'tools', externalId: 'x1' },
  ])
  expect(productsWithExternalId(page, [{ id: 'A1', externalId: null }, { id: 'A2' }])).toEqual([])
})

test('ids of products with the same id in several catalogs are told apart', () => {
  const viewer = { organization: 'acme', username: 'ada', keyType: 'full' } as const
  const page = ['tools', 'outlet'].map((catalog) =>
    viewProduct({ product: productOf({ id: 'A1' }, catalog) }, viewer),
  )
  const told = page.map(({ id, catalog }) => ({ id, catalog, externalId: `x-${catalog}` }))
  expect(productsWithExternalId(page, told)).toEqual(told)
})
