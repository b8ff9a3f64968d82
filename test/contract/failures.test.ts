import { afterAll, beforeAll, describe, inject, test } from 'vitest'
import { STATUS } from '../../src/errors.ts'
import { limits } from '../../src/limits.ts'
import { caller, expectOk, OPERATOR_KEY } from '../support/client.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { makeOlder } from '../support/older-key.ts'
import { startService, type TestService } from '../support/service.ts'
import type { Sent } from './contract.ts'
import { type Case, cases } from './contracts.ts'
import { outside } from './outside.ts'
import { failed, prepare, send, weakest } from './send.ts'
import { type Identity, newWorld, type World } from './world.ts'

let world: World
let proxy: FaultProxy
/** The same world behind an Elasticsearch that can fail. */
let shaky: TestService
beforeAll(async () => {
  world = await newWorld(await startService({ outbound: outside }))
  proxy = await startFaultProxy(inject('elasticsearch').node)
  shaky = await startService({ node: proxy.node })
})
afterAll(() => proxy?.close())

const all = cases.filter(({ contract }) => contract).map((one) => [one.title, one] as const)
const guarded = all.filter(([, { operation }]) => operation.access !== 'public')
const withJson = guarded.filter(([, { binding }]) => binding.body && binding.body !== 'stream')

const made = new Map<Case, Promise<Sent>>()

/** A valid request, prepared once: refused requests do not change the things that it names. */
function good(one: Case): Promise<Sent> {
  const sent = made.get(one) ?? prepare(one.contract!.ok, world, weakest(one.operation))
  made.set(one, sent)
  return sent
}

const older = new Map<string, Promise<void>>()

/** The key of a request, in the form of keys from before default versions. */
async function olderKey({ operation }: Case, sent: Sent): Promise<string> {
  const identity = sent.as ?? weakest(operation)
  const isOperator = identity === 'operator'
  const key = (sent.key ?? (await (isOperator ? operatorKey() : world.keyOf(identity))))!
  const made = older.get(key) ?? makeOlder(world.service, key)
  older.set(key, made)
  await made
  return key
}

/** An operator key that no other test uses. */
async function operatorKey(): Promise<string> {
  const operator = caller(world.service, { key: OPERATOR_KEY })
  return (await expectOk(operator('POST /api/KeyAuth/keys', { body: {} }))).body.key
}

describe('every operation with a key refuses', () => {
  test.each(guarded)('%s', async (_, one) => {
    const sent = await good(one)
    const key = await olderKey(one, sent)
    if (one.revision !== 'any') {
      failed(one, await send(one, sent, { world, version: null, key }), STATUS.invalid)
    }
    failed(one, await send(one, sent, { world, identity: 'none' }), STATUS.unauthenticated)
    const nowhere = { world, organization: 'no-such-organization' }
    failed(one, await send(one, sent, nowhere), STATUS.notFound)
    const { keys } = one.operation
    const limited: (Identity | false)[] = [
      !keys.includes('search') && 'search key',
      !keys.includes('import') && 'import key',
    ]
    for (const identity of limited.filter((key) => key !== false)) {
      failed(one, await send(one, sent, { world, identity }), STATUS.forbidden)
    }
  })
})

describe('every operation with a JSON body refuses', () => {
  test.each(withJson)('%s', async (_, one) => {
    const sent = await good(one)
    const as = (type: string) => ({ world, headers: { 'content-type': type } })
    failed(one, await send(one, sent, as('text/plain')), STATUS.unsupportedMediaType)
    const broken = { ...sent, body: '{"half": ' }
    failed(one, await send(one, broken, as('application/json')), STATUS.invalid)
    const size = one.binding.bodyBytes ?? limits.bodyBytes
    const large = { ...sent, body: `"${'x'.repeat(size)}"` }
    failed(one, await send(one, large, as('application/json')), STATUS.tooLarge)
  })
})

describe('under too much load', () => {
  const blocker = Promise.withResolvers<void>()
  let running: Promise<unknown>[] = []
  beforeAll(async () => {
    for (const [, one] of guarded) await good(one)
    running = occupied(world, blocker.promise)
  })
  afterAll(async () => {
    blocker.resolve()
    await Promise.all(running)
  })

  test.each(guarded)('%s returns 429', async (_, one) => {
    failed(one, await send(one, await good(one), { world }), STATUS.tooManyRequests)
  })
})

/** Occupies all places, and all waiting ones, until `blocker` resolves. */
function occupied({ service }: World, blocker: Promise<void>): Promise<unknown>[] {
  const { requests } = service.services
  const all = limits.requestPlaces + limits.requestsWaiting
  return Array.from({ length: all + 1 }, (_, at) =>
    requests.run(`owner ${at % 10}`, () => blocker).catch(() => undefined),
  )
}

describe('if Elasticsearch does not respond', () => {
  test.each(guarded)('%s returns 503', async (_, one) => {
    const sent = await good(one)
    proxy.set('down')
    try {
      const answer = await send(one, sent, { world: { ...world, service: shaky } })
      failed(one, answer, STATUS.unavailable)
    } finally {
      proxy.set('none')
    }
  })
})
