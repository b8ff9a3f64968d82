import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createDownloads } from '../../../src/imports/pictures/download.ts'
import { limits } from '../../../src/limits.ts'

/** Downloads of an organization. Servers answer at once; pictures are kept one at a time. */
function downloads(id = 'a', answer = async (_url: string) => 200) {
  const called: string[] = []
  const keeping: (() => void)[] = []
  const download = createDownloads({
    organization: { id, parent: null },
    requestId: 'task',
    outbound: {
      check: () => undefined,
      call: async ({ url }: { url: string }) => {
        called.push(url)
        return { status: await answer(url), headers: {}, body: Buffer.from('picture') }
      },
    },
  } as unknown as Parameters<typeof createDownloads>[0])
  const keep = () => new Promise<string>((resolve) => keeping.push(() => resolve('kept')))
  const { signal } = new AbortController()
  return {
    called,
    keeping,
    start: (addresses: string[]) =>
      Promise.all(addresses.map((one) => download(one, { known: {}, signal, keep }))),
  }
}

const numbers = Array.from({ length: 20 }, (_, at) => at)
const settled = async () => {
  for (let turns = 0; turns < 20; turns++) await setImmediate()
}

test.each([
  ['several hosts', (at: number) => `http://${at}.example/a.png`],
  ['one host, which sends others while a picture waits', (at: number) => `http://a.example/${at}`],
])('no more pictures of %s are downloaded than may wait to be stored', async (_host, addressOf) => {
  const { called, keeping, start } = downloads()
  const all = start(numbers.map(addressOf))
  await settled()
  // The share depends on whether another organization fetches pictures.
  expect(keeping.length).toBeGreaterThan(0)
  for (let kept = 0; kept < numbers.length; kept++) {
    expect(called.length - kept).toBe(keeping.length)
    expect(keeping.length).toBeLessThanOrEqual(limits.picturesAtOnce)
    keeping.shift()!()
    await settled()
  }
  expect(await all).toEqual(numbers.map(() => 'kept'))
})

test('a host is not held by pictures that wait for a place of their organization', async () => {
  const slow = downloads('slow')
  const all = slow.start([
    ...numbers.map((at) => `http://${at}.slow.example/a.png`),
    ...numbers.map((at) => `http://shared.example/${at}`),
  ])
  await settled()
  const other = downloads('other')
  const theirs = other.start(['http://shared.example/theirs'])
  await settled()
  expect(other.called).toEqual(['http://shared.example/theirs'])
  other.keeping.shift()!()
  expect(await theirs).toEqual(['kept'])
  for (let kept = 0; kept < 2 * numbers.length; kept++) {
    slow.keeping.shift()!()
    await settled()
  }
  expect(await all).toHaveLength(2 * numbers.length)
})

test('a missing picture lets the next ones of its host begin', async () => {
  const answers: ((status: number) => void)[] = []
  const answer = () => new Promise<number>((resolve) => answers.push(resolve))
  const { called, keeping, start } = downloads('missing', answer)
  const ofHost = (from: number, count: number) =>
    numbers.slice(from, from + count).map((at) => `http://a.example/${at}`)
  const all = [start(ofHost(0, 12)).catch(() => undefined)]
  await settled()
  // As many as have places are kept; the others wait for a place, or for the host.
  for (let at = 0; at < answers.length; at++) {
    answers[at]!(200)
    await settled()
  }
  for (const kept of keeping.splice(0, 2)) kept()
  await settled()
  all.push(start(ofHost(12, 6)).catch(() => undefined))
  await settled()
  const before = called.length
  const began = performance.now()
  answers.at(-1)!(404)
  await settled()
  expect(called.length).toBeGreaterThan(before)
  // Those that wait for the host must not hand it round to those that wait for a place.
  expect(performance.now() - began).toBeLessThan(1_000)
  while (called.length < 18 || keeping.length > 0) {
    for (const one of answers) one(200)
    for (const kept of keeping.splice(0)) kept()
    await settled()
  }
  await Promise.all(all)
})
