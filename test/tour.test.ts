import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Listening, serve } from '../examples/server.ts'
import { vendor } from '../examples/vendor.ts'
import { createOutbound } from '../src/platform/outbound/outbound.ts'
import { OPERATOR_KEY } from './support/client.ts'
import { type Standalone, startStandalone } from './support/standalone.ts'

const blocksOf = (file: string, kind = 'sh'): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, is, block]) =>
    is === kind ? [block!] : [],
  )

const readme = blocksOf('README.md')
const manual = blocksOf('docs/interface.md')
/** The script of a web page in the README, and the answer that it gets. */
const page = `const { AISLE, SHOP } = process.env
${blocksOf('README.md', 'js')[0]}
console.log('page:', JSON.stringify(answer))`

let service: Standalone
/** `npm run example:vendor`. */
let remote: Listening
/** Output of the commands: first of the tour, then of each example in docs/interface.md. */
let printed: string[]

beforeAll(async () => {
  remote = await serve(vendor)
  service = await startStandalone('tour', {
    outbound: createOutbound({ allow: '127.0.0.1' }),
  })
  printed = await run(service.address)
})

afterAll(async () => {
  await service?.stop()
  await remote?.close()
})

/** Runs the tour and then the examples in one shell, since the examples depend on the tour. */
async function run(address: string): Promise<string[]> {
  const mark = '=== next example'
  const script = [
    'source examples/tour.sh\nSHOP=$SHOP "$NODE" --input-type=module --eval "$PAGE"',
    ...manual,
  ].join(`\necho '${mark}'\n`)
  const { stdout } = await promisify(execFile)('bash', ['-c', script], {
    env: {
      ...process.env,
      AISLE: address,
      KEY: OPERATOR_KEY,
      NODE: process.execPath,
      PAGE: page,
      VENDOR: JSON.stringify({ manifestUrl: remote.manifestUrl, secret: remote.secret }),
    },
    timeout: 150_000,
  }).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`the tour failed:\n${error.stdout}\n${error.stderr}`)
  })
  return stdout.split(`${mark}\n`)
}

/** The JSON answers in printed lines. */
const answersIn = (text: string) =>
  text
    .split('\n')
    .filter((line) => /^[[{]/.test(line))
    .map((line) => JSON.parse(line))

const isFailure = (answer: unknown) => /"success":false|"error":"/.test(JSON.stringify(answer))

describe('the tour of the README', () => {
  test('starts with nothing but the address and the key', () => {
    expect(readme[0]).toMatch(/^AISLE=http:\S+\nKEY=\S+\n$/)
  })

  test('creates, imports, searches, reads and changes as printed', () => {
    const answers = answersIn(printed[0]!)
    const [organization, catalog, queued] = answers
    expect([organization.id, catalog.id, queued.success]).toEqual(['acme', 'tools', true])
    const [task] = answers.find(({ items }) => items?.[0]?.completed).items
    expect(task).toMatchObject({ success: true, processed: 4, created: 3, rejected: 0 })

    const [found, counted, partNumber, quick, product, updated, log, list] = answers.slice(-8)
    expect(found.products.map(({ id }: { id: string }) => id)).toEqual(['D-100'])
    expect(found.metadata.counts.facets.Voltage).toEqual({ '12 V': 1, '18 V': 1 })
    expect(counted).toEqual({ count: 1, catalog: 'tools' })
    expect(partNumber.products[0].id).toBe('D-200')
    expect(quick.manufacturers).toEqual(['Drakesmoor'])
    expect(product.vendors).toHaveLength(2)
    expect(updated.success).toBe(true)
    expect(log.items[0]).toMatchObject({ fieldsUpdated: ['msrp'], updatedBy: 'ada' })
    expect(list.matchedProducts).toMatchObject([
      { productId: 'D-100', qty: '2' },
      { productId: 'W-300', qty: '10' },
    ])
    expect(printed[0]).toMatch(/^4 rows in .*: 0 created, 0 updated, 4 unchanged, 0 rejected$/m)
  })
})

/** Removes null and empty values, and values that differ in every run. */
function shown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shown)
  if (typeof value !== 'object' || value === null) return value
  const left = Object.entries(value).filter(
    ([name, item]) =>
      item !== null &&
      !(typeof item === 'object' && Object.keys(item).length === 0) &&
      !['took', 'lastUpdated', 'updatedBy', 'favorite'].includes(name),
  )
  return Object.fromEntries(left.map(([name, item]) => [name, shown(item)]))
}

test('has a page whose requests are answered as printed', () => {
  const [, answered] = /^page: (.*)$/m.exec(printed[0]!)!
  expect(shown(JSON.parse(answered!))).toEqual(JSON.parse(blocksOf('README.md', 'json')[0]!))
})

test('is followed by the examples of docs/interface.md', () => {
  expect(printed).toHaveLength(1 + manual.length)
  for (const text of printed.slice(1)) expect(answersIn(text).length).toBeGreaterThan(0)
  // Extensions report failures in answers with status 200; one example shows this.
  const failed = printed.flatMap(answersIn).filter(isFailure)
  // A running task has not succeeded yet.
  const refused = failed.filter(({ percentCompleted }) => percentCompleted === undefined)
  expect(refused).toMatchObject([{ success: false, problems: [{ field: 'fileUrl' }] }])
})

test('the example vendor reports its stock in each of them', () => {
  const at = manual.findIndex((block) => block.includes('oakvale-stock/install'))
  const [, all, one, found] = answersIn(printed[1 + at]!)
  expect(all.items[0].vendors[0]).toMatchObject({ error: null, onHand: 37 })
  expect(one).toMatchObject({ success: true, items: [{ error: null, onHand: 37, cost: 92.5 }] })
  const offers = found.products[0].vendors
  expect(offers).toContainEqual(
    expect.objectContaining({
      vendorPartNumber: 'OV-77',
      onHand: 37,
      checkedAt: expect.any(String),
    }),
  )
})
