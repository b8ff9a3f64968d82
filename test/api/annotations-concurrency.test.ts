import { beforeAll, describe, expect, test } from 'vitest'
import { type AnnotationBench, annotationBench, newUser } from '../support/annotations.ts'
import { type Call, caller, expectOk } from '../support/client.ts'
import { startImport, taskEnded } from '../support/imports.ts'
import { startService } from '../support/service.ts'

const CLIENTS = 64
const numbers = Array.from({ length: CLIENTS }, (_, n) => n)
const texts = (word: string) => numbers.map((n) => `${word} ${n}`)

let bench: AnnotationBench
/** 64 users, who alternate between two instances of the service. */
let users: Call[]
/** One editor, who alternates between the instances. */
let editor: (n: number) => Call

beforeAll(async () => {
  bench = await annotationBench()
  const other = await startService()
  const { org } = bench
  const elsewhere = caller(other, { key: await org.key('editor'), organization: org.id })
  editor = (n) => (n % 2 ? elsewhere : bench.editor)
  users = await Promise.all(
    numbers.map((n) => newUser({ org, service: n % 2 ? other : bench.service }, `user-${n}`)),
  )
})

const all = <T>(work: (n: number) => Promise<T>): Promise<T[]> => Promise.all(numbers.map(work))
const read = async (path: string, call = bench.viewer) => (await expectOk(call(`GET ${path}`))).body
const logOf = async (path: string) =>
  (await expectOk(bench.viewer(`GET ${path}/logs?pageSize=250`))).body.items
const sorted = (list: readonly string[]) => list.toSorted((a, b) => a.localeCompare(b))

describe('64 clients at two instances that write to one product at once', () => {
  test('each add and remove their own favorite', async () => {
    const path = await bench.create('marked')
    await all((n) => expectOk(users[n]!(`PUT ${path}/favorites/user`)))
    const marks = await all(async (n) => (await read(path, users[n])).favorite.user)
    expect(marks).toEqual(Array(CLIENTS).fill(true))
    const first = users.slice(0, CLIENTS / 2)
    await Promise.all(first.map((user) => expectOk(user(`DELETE ${path}/favorites/user`))))
    const left = await all(async (n) => (await read(path, users[n])).favorite.user)
    expect(left).toEqual(numbers.map((n) => n >= CLIENTS / 2))
  })

  test('each keep their own tags', async () => {
    const path = await bench.create('tagged')
    await all((n) => expectOk(users[n]!(`PUT ${path}/userTags`, { body: [`tag ${n}`, 'all'] })))
    const tags = await all(async (n) => (await read(path, users[n])).userTags)
    expect(tags).toEqual(numbers.map((n) => [`tag ${n}`, 'all']))
  })

  test('replace the organization’s tags: one complete write wins', async () => {
    const path = await bench.create('replaced')
    await all((n) => expectOk(editor(n)(`PUT ${path}/tags`, { body: [`a ${n}`, `b ${n}`] })))
    const { tags } = await read(path)
    const [, winner] = tags[0].split(' ')
    expect(tags).toEqual([`a ${winner}`, `b ${winner}`])
  })

  test('each write their note once', async () => {
    const path = await bench.create('noted')
    await all((n) => expectOk(users[n]!(`PUT ${path}/notes`, { body: { text: `note ${n}` } })))
    await all((n) => expectOk(users[n]!(`PUT ${path}/notes`, { body: { text: `new ${n}` } })))
    const { body } = await expectOk(bench.viewer(`GET ${path}/notes`))
    const told = body.notes.map(({ username, text }: Record<string, string>) => [username, text])
    expect(new Map(told)).toEqual(new Map(numbers.map((n) => [`user-${n}`, `new ${n}`])))
    expect(told).toHaveLength(CLIENTS)
  })

  test('delete a note: one succeeds, the others get 404', async () => {
    const path = await bench.create('deleted')
    await expectOk(editor(0)(`PUT ${path}/notes`, { body: { text: 'x' } }))
    const answers = await all((n) => editor(n)(`DELETE ${path}/notes`))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array(CLIENTS - 1).fill(404)])
  })

  test('each set one field, and all add the same link', async () => {
    const path = await bench.create('fields')
    const field = (n: number) => `PUT ${path}/extensionFields/erp/field%20${n}`
    await all((n) => expectOk(editor(n)(field(n), { body: { value: `value ${n}` } })))
    await all((n) => expectOk(editor(n)(`PUT ${path}/links/erp/one`)))
    const { extensionFields, links } = await read(path)
    const keys = extensionFields.map(({ key }: { key: string }) => key)
    const values = extensionFields.map(({ value }: { value: string }) => value)
    expect(sorted(keys)).toEqual(sorted(texts('field')))
    expect(sorted(values)).toEqual(sorted(texts('value')))
    expect(links).toEqual([{ type: 'erp', value: 'one', recommended: false }])
  })

  test('do all of this while others change the product itself', async () => {
    const path = await bench.create('everything')
    await all(async (n) => {
      const user = users[n]!
      const writes = [
        () => user(`PUT ${path}/favorites/user`),
        () => user(`PUT ${path}/notes`, { body: { text: `note ${n}` } }),
        () => editor(n)(`PUT ${path}/extensionFields/erp/${n}`, { body: { value: `${n}` } }),
        () => editor(n)(`PUT ${path}`, { body: { facets: { Round: `${n}` } } }),
      ]
      await expectOk(writes[n % 4]!())
    })
    const product = await read(path)
    const marks = await all(async (n) => (await read(path, users[n])).favorite.user)
    expect(marks).toEqual(numbers.map((n) => n % 4 === 0))
    expect(product.notes).toHaveLength(CLIENTS / 4)
    expect(product.extensionFields).toHaveLength(CLIENTS / 4)
    expect(product.version).toBe(String(1 + CLIENTS / 4))
    expect(await logOf(path)).toHaveLength(1 + CLIENTS / 4)
  })
})

test('readers never miss a log entry while annotations are written', async () => {
  const path = await bench.create('logged')
  await expectOk(bench.editor(`PUT ${path}/favorites/user`))
  let over = false
  const settled = bench.service.services.background.settled().then(() => {
    over = true
  })
  while (!over) expect(await logOf(path)).toHaveLength(1)
  await settled
  expect(await logOf(path)).toHaveLength(1)
})

test('a concurrent import of the same products and annotations lose nothing of each other', async () => {
  const products = texts('item')
  const pathOf = (id: string) => `/api/Catalog/c/products/${encodeURIComponent(id)}`
  const run = async (price: number) => {
    const lines = products.map((id) => JSON.stringify({ id, msrp: price }))
    const task = await startImport(bench.org.call, lines.join('\n'), {
      name: 'items.jsonl',
      targetCatalog: 'c',
    })
    return taskEnded(bench.org.call, task)
  }
  expect(await run(1)).toMatchObject({ created: CLIENTS })
  const notes = async () => {
    for (let round = 0; round < 5; round++) {
      await all((n) => {
        const line = `PUT ${pathOf(products[n]!)}/notes`
        return expectOk(users[n]!(line, { body: { text: `${round}` } }))
      })
    }
  }
  const [imported] = await Promise.all([run(2), notes()])
  expect(imported).toMatchObject({ status: 'completed', updated: CLIENTS, rejected: 0 })
  for (const [n, id] of products.entries()) {
    const { msrp, notes: told } = await read(pathOf(id))
    expect([msrp, told]).toEqual([2, [{ username: `user-${n}`, text: '4' }]])
  }
})
