import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { productsOf } from '../../src/products/product-documents.ts'
import { type AnnotationBench, annotationBench, newUser } from '../support/annotations.ts'
import { type Call, caller, expectOk, untilAccepted } from '../support/client.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { startService, type TestService } from '../support/service.ts'

const CLIENTS = 32
const ROUNDS = 13
const isWrite = (line: string) => /^(PUT|POST) \/[^/]*products[^/]*\/_(doc|create)/.test(line)
const isRead = (line: string) => /^GET \/[^/]*products[^/]*\/_doc/.test(line)

let proxy: FaultProxy
let bench: AnnotationBench
let faulty: TestService
/** One editor, through an Elasticsearch that loses answers, and through one that does not. */
let call: Call
let elsewhere: Call
/** Users, every second one through the Elasticsearch that loses answers. */
let users: Call[]

beforeAll(async () => {
  proxy = await startFaultProxy(inject('elasticsearch').node)
  bench = await annotationBench()
  faulty = await startService({ node: proxy.node })
  const { org } = bench
  call = caller(faulty, { key: await org.key('editor'), organization: org.id })
  elsewhere = bench.editor
  users = await Promise.all(
    Array.from({ length: CLIENTS }, (_, n) =>
      newUser({ org, service: n % 2 ? bench.service : faulty }, `u-${n}`),
    ),
  )
})
afterEach(() => {
  proxy.set('none')
  proxy.hold(() => undefined)
})
afterAll(() => proxy.close())

const insist = async (user: Call, line: string, body?: unknown) =>
  (await untilAccepted(() => user(line, { body }))).answer

const read = async (path: string, user = elsewhere) => (await expectOk(user(`GET ${path}`))).body

/** Drops the answers to the next `count` writes of products, which are applied nevertheless. */
function loseWrites(count: number) {
  let left = count
  proxy.set('dropAnswer', (line) => isWrite(line) && left-- > 0)
}

describe('a write whose answer is lost', () => {
  test('takes effect once and returns success', async () => {
    const path = await bench.create('once')
    await faulty.services.background.settled()
    const writes: [string, unknown?][] = [
      [`PUT ${path}/favorites/user`],
      [`PUT ${path}/notes`, { text: 'mine' }],
      [`PUT ${path}/tags`, ['a', 'b']],
      [`PUT ${path}/userTags`, ['c']],
      [`PUT ${path}/extensionFields/erp/group`, { value: 'G' }],
      [`PUT ${path}/links/erp/1`],
    ]
    for (const [line, body] of writes) {
      loseWrites(1)
      await expectOk(call(line, { body }))
    }
    expect(await read(path)).toMatchObject({
      favorite: { company: false, user: true },
      notes: [{ username: 'editor', text: 'mine' }],
      tags: ['a', 'b'],
      userTags: ['c'],
      extensionFields: [{ extensionId: 'erp', key: 'group', value: 'G' }],
      links: [{ type: 'erp', value: '1' }],
      version: '1',
    })
  })

  test('is not reported as a missing note if it was the deletion', async () => {
    const path = await bench.create('deleted')
    await expectOk(call(`PUT ${path}/notes`, { body: { text: 'x' } }))
    loseWrites(1)
    await expectOk(call(`DELETE ${path}/notes`))
    expect((await call(`DELETE ${path}/notes`)).status).toBe(404)
  })

  test('does not undo what others have written since', async () => {
    const path = await bench.create('overtaken')
    // Excludes background writes of the service.
    const document = productsOf(faulty.services, {
      owner: bench.org.id,
      index: null,
      name: 'c',
    }).documentId('overtaken')
    const isOurs = (line: string) => line.includes(document)
    let others: Promise<unknown> | undefined
    // The other instance writes after the first attempt is applied, and before its result is
    // checked.
    proxy.set('dropAnswer', (line) => {
      if (!isWrite(line) || !isOurs(line) || others) return false
      others = written(path, 'lost').then(() =>
        expectOk(insist(elsewhere, `PUT ${path}/tags`, ['later'])),
      )
      return true
    })
    proxy.hold((line) => (isRead(line) && isOurs(line) ? others : undefined))
    await expectOk(call(`PUT ${path}/tags`, { body: ['lost'] }))
    expect(others).toBeDefined()
    expect((await read(path)).tags).toEqual(['later'])
  })
})

/** Waits until the other instance reads these tags. */
async function written(path: string, tag: string): Promise<void> {
  while ((await expectOk(insist(elsewhere, `GET ${path}`))).body.tags[0] !== tag);
}

describe('while 5 % of all answers are lost', () => {
  test('no acknowledged write is lost, and none takes effect twice', async () => {
    const path = await bench.create('storm')
    const seen = { writes: 0, others: 0 }
    proxy.set('dropAnswer', (line) => ++seen[isWrite(line) ? 'writes' : 'others'] % 20 === 0)
    const statuses = new Set<number>()
    await Promise.all(
      users.map(async (user, n) => {
        for (let round = 0; round < ROUNDS; round++) {
          const writes: [string, unknown?][] = [
            [`${round % 2 ? 'DELETE' : 'PUT'} ${path}/favorites/user`],
            [`PUT ${path}/notes`, { text: `${n} in ${round}` }],
            [`PUT ${path}/userTags`, [`${n} in ${round}`]],
          ]
          for (const [line, body] of writes) statuses.add((await insist(user, line, body)).status)
          const field = `PUT ${path}/extensionFields/erp/${n}-${round}`
          const through = n % 2 ? elsewhere : call
          statuses.add((await insist(through, field, { value: `${n}` })).status)
        }
      }),
    )
    proxy.set('none')
    expect([...statuses]).toEqual([200])
    expect(Math.min(seen.writes, seen.others)).toBeGreaterThan(100)

    const last = ROUNDS - 1
    const { body } = await expectOk(elsewhere(`GET ${path}/notes`))
    const notes = body.notes.map(({ username, text }: Record<string, string>) => [username, text])
    expect(notes).toHaveLength(CLIENTS)
    expect(new Map(notes)).toEqual(
      new Map(users.map((_, n) => [`u-${n}`, `${n} in ${last}`] as const)),
    )
    for (const [n, user] of users.entries()) {
      const { favorite, userTags } = await read(path, user)
      expect([n, favorite.user, userTags]).toEqual([n, last % 2 === 0, [`${n} in ${last}`]])
    }
    const { extensionFields, version } = await read(path)
    const keys = extensionFields.map(({ key }: { key: string }) => key)
    expect(new Set(keys).size).toBe(CLIENTS * ROUNDS)
    expect(keys).toHaveLength(CLIENTS * ROUNDS)
    expect(version).toBe('1')
    expect((await expectOk(elsewhere(`GET ${path}/logs`))).body.items).toHaveLength(1)
  })
})
