import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { limits } from '../../src/limits.ts'
import { startService } from '../support/service.ts'
import type { Sent } from './contract.ts'
import { type Case, cases } from './contracts.ts'
import { recording } from './examples.ts'
import { missingId, replaced } from './missing.ts'
import { outside } from './outside.ts'
import { prepare, send, weakest } from './send.ts'
import { IDENTITIES, type Identity, newWorld, type World } from './world.ts'

const TABLE = `${import.meta.dirname}/access.md`

let own: World
let foreign: World
/** Rows of the table: an operation, its revision, and the answer for each identity. */
const rows: { name: string; revision: string; cells: string }[] = []

beforeAll(async () => {
  const service = await startService({ outbound: outside })
  own = await newWorld(service)
  foreign = await newWorld(service)
})

const all = cases.filter(({ contract }) => contract).map((one) => [one.title, one] as const)

// Concurrent, since they mostly wait for the storage; below the limit of concurrent uploads.
vi.setConfig({ maxConcurrency: limits.uploadsInFlight - 1 })
describe.concurrent('access by identity', () => {
  test.each(all)('%s', async (_, one) => {
    const shared = await prepareMade(one, weakest(one.operation))
    const cells: string[] = []
    for (const identity of IDENTITIES) cells.push(await cellOf(one, identity, shared))
    const other = { world: foreign, organization: own.organization.id }
    const crossing = await send(one, shared.sent, { ...other, identity: 'administrator' })
    cells.push(String(crossing.status))
    rows.push({ name: one.operation.name, revision: one.revision, cells: cells.join(' | ') })
  })
})

/**
 * `200/404`: the statuses of this identity for its own organization's things, and for another's.
 */
async function cellOf(one: Case, identity: Identity, shared: Made): Promise<string> {
  // Things of one session are requested with that session's key.
  if (identity === 'session key' && shared.sent.key !== undefined) {
    return String((await send(one, shared.sent, { world: own })).status)
  }
  const asked = await send(one, shared.missing.sent, { world: own, identity })
  // An identity that may not call at all needs no things of its own.
  const isRefused = asked.status === 401 || asked.status === 403
  // Things that are only read, and are not personal, can be shared between identities.
  const isShared = isRefused || (one.binding.method === 'GET' && !shared.isPersonal)
  const things = isShared ? shared : await prepareMade(one, identity)
  // Things that are public, or the operator's, do not belong to an organization.
  const isOwned = !['public', 'operatorOnly'].includes(one.operation.access)
  const stranger = isOwned ? await strangerStatus(one, identity, things) : undefined
  const mine = await send(one, things.sent, { world: own, identity })
  const isWeakest = identity === weakest(one.operation)
  if (isWeakest && things.sent.key === undefined) expect(mine.status).toBe(200)
  const isSame = stranger === undefined || mine.status === stranger
  return isSame ? `${mine.status}` : `${mine.status}/${stranger}`
}

/** The status for things of another organization. The answer must equal that for missing ones. */
async function strangerStatus(
  one: Case,
  identity: Identity,
  { sent, missing }: Made,
): Promise<number> {
  const caller = { world: foreign, identity }
  const theirs = await send(one, sent, caller)
  const nothing = await send(one, missing.sent, caller)
  if (missing.names.size > 0) {
    const said = [theirs.status, replaced(theirs.body, missing.names)]
    expect([identity, ...said]).toEqual([identity, nothing.status, nothing.body])
  }
  return theirs.status
}

interface Made {
  readonly sent: Sent
  readonly missing: { readonly sent: Sent; readonly names: ReadonlyMap<string, string> }
  /** Whether the things were made by the identity that calls, or for one session. */
  readonly isPersonal: boolean
}

/** Prepares the contract's request in our own world, and the same request for missing things. */
async function prepareMade({ contract }: Case, identity: Identity): Promise<Made> {
  let isPersonal = false
  const world = reportingWorld(own.as(identity), () => {
    isPersonal = true
  })
  const sent = await prepare(contract!.ok, { ...own, as: () => world }, identity)
  const said = JSON.stringify(sent)
  const named = [...own.made].filter((id) => said.includes(id))
  const names = new Map(named.map((id) => [id, missingId(id)]))
  isPersonal ||= sent.key !== undefined
  return { sent, missing: { sent: replaced(sent, names) as Sent, names }, isPersonal }
}

/** A world that reports when something is made as the identity that will call, or with a key. */
const reportingWorld = (world: World, tell: () => void): World =>
  new Proxy(world, {
    get(target, name, receiver) {
      if (name === 'mine' || name === 'file' || name === 'keyOf') tell()
      return Reflect.get(target, name, receiver)
    },
  })

test('matches access.md', () => {
  if (recording) writeFileSync(TABLE, tableText())
  expect(existsSync(TABLE) && readFileSync(TABLE, 'utf8')).toBe(tableText())
})

const head = ['operation', 'versions', ...IDENTITIES, 'other organization']

/** Revisions with the same answers share a line. */
function tableText(): string {
  const lines = new Map<string, { name: string; revisions: string[]; cells: string }>()
  const inOrder = rows.toSorted((a, b) => (a.revision < b.revision ? -1 : 1))
  for (const { name, revision, cells } of inOrder) {
    const key = `${name} ${cells}`
    lines.set(key, {
      name,
      cells,
      revisions: [...(lines.get(key)?.revisions ?? []), revision],
    })
  }
  return [
    'What each kind of caller is answered: about things of its own organization, and after a slash',
    'about those of another one where that differs; things that nobody has answer the same bytes.',
    'Search and import keys belong to an administrator, a session key to a punchout of the viewer;',
    '`other organization` names one that the key does not reach. `npm run examples` writes this file.',
    '',
    `| ${head.join(' | ')} |`,
    `|${' --- |'.repeat(head.length)}`,
    ...[...lines.values()]
      .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
      .map(({ name, revisions, cells }) => `| ${name} | ${revisions.join(', ')} | ${cells} |`),
    '',
  ].join('\n')
}
