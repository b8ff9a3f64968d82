import { connect, type Target, type Wire } from '../http.ts'
import { closedLoop } from '../load.ts'
import { type SeededOrganization, searchWire, seedOrganizations } from '../many-organizations.ts'
import { processMemory } from '../process-figures.ts'
import type { OrganizationsRow } from '../report.ts'
import { OPERATOR_KEY, type RunningService, startService } from '../service.ts'
import type { Session } from '../session.ts'
import { settle } from '../stage.ts'
import { median, quantile } from '../statistics.ts'

const PRODUCTS = 50
const ROUNDS = 5
/** Organizations that are searched all the time, the same number in every installation. */
const BUSY = 10
const OPERATIONS = ['busy', 'spread', 'listed'] as const

interface Installation {
  readonly name: string
  readonly seeded: readonly SeededOrganization[]
  /** Seconds from each start to the first answered search. */
  readonly starts: number[]
}

interface Running extends Installation {
  readonly service: RunningService
  readonly target: Target
  /** MiB after the start. */
  readonly idle: number
  /** In milliseconds. */
  readonly latencies: Readonly<Record<(typeof OPERATIONS)[number], number[]>>
}

/**
 * Compares the cost of installations with different numbers of organizations that each have a small
 * catalog. They are measured in turns, so that other load on the machine favors none.
 */
export async function measureOrganizations(session: Session): Promise<OrganizationsRow[]> {
  const installations: Installation[] = []
  for (const organizations of session.options.organizations) {
    installations.push(await seedInstallation(session, organizations))
  }
  for (let n = 0; n < ROUNDS; n++) {
    for (const { name, seeded, starts } of installations) {
      starts.push(await secondsToSearch(session, name, seeded[0]!))
    }
  }
  const running: Running[] = []
  for (const one of installations) running.push(await startInstallation(session, one))
  for (let n = 0; n < ROUNDS; n++) {
    for (const one of running) await measureRound(one, session.options.seconds)
  }
  const rows: OrganizationsRow[] = []
  for (const one of running) {
    rows.push(await rowOf(session, one))
    await one.target.close()
    await one.service.stop()
    await session.drop(one.name)
  }
  return rows
}

async function seedInstallation(session: Session, organizations: number): Promise<Installation> {
  const name = `organizations-${organizations}`
  // The first start creates the indices.
  await (await startService(session.serviceOptions(name))).stop()
  const elastic = session.elastic(name)
  session.say(`storing ${organizations} organizations`)
  const seeded = await seedOrganizations(elastic, { organizations, products: PRODUCTS })
  await settle(elastic)
  return { name, seeded, starts: [] }
}

async function secondsToSearch(
  session: Session,
  name: string,
  organization: SeededOrganization,
): Promise<number> {
  const { method, path, headers, body } = searchOf(organization)
  const began = performance.now()
  const service = await startService(session.serviceOptions(name), async (origin) => {
    const { status } = await fetch(origin + path, { method, headers, body: body! })
    return status === 200
  })
  const seconds = (performance.now() - began) / 1_000
  await service.stop()
  return seconds
}

async function startInstallation(session: Session, installation: Installation): Promise<Running> {
  const service = await startService(session.serviceOptions(installation.name))
  const target = connect(service.origin, { connections: 1 })
  const { resident: idle } = await processMemory(service.pid)
  const latencies = { busy: [], spread: [], listed: [] }
  return { ...installation, service, target, idle, latencies }
}

/** Sends one request at a time; the first third of a round is a warm-up. */
async function measureRound({ target, seeded, latencies }: Running, seconds: number) {
  for (const operation of OPERATIONS) {
    const actions = requestsOf(operation, seeded).map((wire) => [wire])
    const load = { target, actions, connections: 1 }
    await closedLoop({ ...load, seconds: seconds / 3 })
    const measured = await closedLoop({ ...load, seconds })
    if (measured.errors > 0) throw new Error(`void: ${measured.errors} requests failed`)
    latencies[operation].push(...measured.latencies)
  }
}

function requestsOf(
  operation: (typeof OPERATIONS)[number],
  seeded: readonly SeededOrganization[],
): Wire[] {
  if (operation === 'busy') return seeded.slice(0, BUSY).map(searchOf)
  if (operation === 'spread') return seeded.map(searchOf)
  const headers = { 'x-api-version': '6.0', authorization: `Bearer ${OPERATOR_KEY}` }
  return [{ method: 'GET', path: '/api/organizations?pageSize=10', headers }]
}

const searchOf = (organization: SeededOrganization): Wire =>
  searchWire(organization, { pageSize: 10 })

async function rowOf(session: Session, running: Running): Promise<OrganizationsRow> {
  const { name, seeded, starts, service, idle, latencies } = running
  const { client, indexName } = session.elastic(name)
  const { resident } = await processMemory(service.pid)
  const { _all } = await client.indices.stats({ index: indexName('*'), metric: 'store' })
  const of = (values: readonly number[]) => {
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => quantile(values, share))
    return { p50: p50!, p95: p95!, p99: p99! }
  }
  return {
    organizations: seeded.length,
    products: seeded.length * PRODUCTS,
    startup: median(starts),
    busy: of(latencies.busy),
    spread: of(latencies.spread),
    listed: of(latencies.listed),
    idle,
    resident,
    disk: _all.total?.store?.size_in_bytes ?? Number.NaN,
  }
}
