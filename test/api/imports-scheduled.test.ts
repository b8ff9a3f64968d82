import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startDueImports } from '../../src/imports/installed/scheduled.ts'
import { tasksOf } from '../../src/tasks/store.ts'
import type { TaskStatus } from '../../src/tasks/task.ts'
import {
  type Call,
  caller,
  expectOk,
  newOrganization,
  OPERATOR_KEY,
  type TestOrganization,
} from '../support/client.ts'
import { newCatalog, taskEnded, upload } from '../support/imports.ts'
import { save } from '../support/organizations.ts'
import { startService, type TestService } from '../support/service.ts'

/** Two instances that share a clock, which a test moves. */
let services: TestService[]
let offset = 0
const clock = { now: () => new Date(Date.now() + offset) }
const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

let organization: TestOrganization
let call: Call

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'aisle-scheduled-'))
  services = [await startService({ clock, folder }), await startService({ clock, folder })]
})
beforeEach(async () => {
  organization = await newOrganization(services[0]!)
  call = organization.call
  await newCatalog(organization)
})

const INSTALL = 'POST /api/extensions/available/file/install'

async function install(settings: object = {}): Promise<string> {
  const additionalData = { fileUrl: await upload(call, 'sku\nD-1\n') }
  const body = { catalog: 'c', schedule: '0 3 * * *', additionalData, ...settings }
  return (await expectOk(call(INSTALL, { body }))).body.id
}

// biome-ignore lint/suspicious/noExplicitAny: an answer
const installed = async (id: string): Promise<any> =>
  // biome-ignore lint/suspicious/noExplicitAny: an answer
  (await call('GET /api/extensions/installed')).body.find((one: any) => one.id === id)

const tasks = async () => (await expectOk(call('GET /api/tasks'))).body.items
const startOf = ({ createDate }: { createDate: string }): number => Date.parse(createDate)
const logs = async (id: string) =>
  (await expectOk(call(`GET /api/extensions/installed/${id}/logs`))).body.items

/** Moves the clock to just after the next run of an installation. */
async function untilDue(id: string, more = 0): Promise<Date> {
  const due = new Date((await installed(id)).nextRun)
  offset = due.getTime() + 1_000 + more - Date.now()
  return due
}

async function setStatus(id: string, status: TaskStatus): Promise<void> {
  const documents = tasksOf(services[0]!.services, organization.id)
  const found = await documents.get(id)
  await documents.replace(id, { ...found!.source, status }, found!, { refresh: true })
}

const sweep = () => Promise.all(services.map(({ services }) => startDueImports(services)))

describe('a scheduled import', () => {
  test('reports its next run in its time zone', async () => {
    const id = await install({ timezone: 'Asia/Kolkata' })
    const { nextRun } = await installed(id)
    expect(nextRun).toMatch(/T21:30:00\.000Z$/)
    const ahead = Date.parse(nextRun) - clock.now().getTime()
    expect(ahead).toBeGreaterThan(0)
    expect(ahead).toBeLessThanOrEqual(DAY)
  })

  test('starts once when it is due, even with many instances', async () => {
    const id = await install()
    await sweep()
    expect(await tasks()).toHaveLength(0)
    const due = await untilDue(id)
    await Promise.all(Array.from({ length: 5 }, sweep))
    await sweep()
    const [task, ...more] = await tasks()
    expect(more).toEqual([])
    expect(await taskEnded(call, task.id)).toMatchObject({ status: 'completed', created: 1 })
    expect((await installed(id)).nextRun).toBe(new Date(due.getTime() + DAY).toISOString())
    expect(await logs(id)).toMatchObject([{ success: true, username: 'administrator' }])
  })

  test('runs once if several runs were missed', async () => {
    const id = await install()
    const due = await untilDue(id, 5 * DAY)
    await sweep()
    await sweep()
    expect(await tasks()).toHaveLength(1)
    expect((await installed(id)).nextRun).toBe(new Date(due.getTime() + 6 * DAY).toISOString())
  })

  test('does not wait for all earlier ones of another organization', async () => {
    const many = [await install(), await install(), await install()]
    const other = await newOrganization(services[0]!)
    await newCatalog(other)
    const fileUrl = await upload(other.call, 'sku\nD-1\n')
    const body = { catalog: 'c', schedule: '30 3 * * *', additionalData: { fileUrl } }
    await expectOk(other.call(INSTALL, { body }))
    await untilDue(many[0]!, HOUR)
    await startDueImports(services[0]!.services)
    const [, second] = (await tasks()).map(startOf).toSorted()
    const [task] = (await expectOk(other.call('GET /api/tasks'))).body.items
    expect(await tasks()).toHaveLength(3)
    expect(startOf(task)).toBeLessThan(second)
  })

  test('does not start again while it runs', async () => {
    const id = await install()
    await untilDue(id)
    await sweep()
    const [task] = await tasks()
    await taskEnded(call, task.id)
    // Like a task that asks for a confirmation, and continues once it is given.
    await setStatus(task.id, 'waiting')
    await untilDue(id)
    await sweep()
    expect(await tasks()).toHaveLength(1)
    expect((await logs(id))[0]).toMatchObject({
      success: false,
      errorMessage: 'The previous run is waiting to be confirmed or cancelled.',
    })
    await setStatus(task.id, 'completed')
    await untilDue(id)
    await sweep()
    expect(await tasks()).toHaveLength(2)
  })

  test('stops when it is disabled or removed, and resumes when it is enabled', async () => {
    const id = await install()
    const update = (body: object) => expectOk(call(`PUT /api/extensions/installed/${id}`, { body }))
    await update({ enabled: false })
    expect((await installed(id)).nextRun).toBeNull()
    offset += 2 * DAY
    await sweep()
    await update({ enabled: true })
    expect(Date.parse((await installed(id)).nextRun)).toBeGreaterThan(clock.now().getTime())
    await sweep()
    expect(await tasks()).toHaveLength(0)
    await untilDue(id)
    await expectOk(call(`DELETE /api/extensions/installed/${id}`))
    await sweep()
    expect(await tasks()).toHaveLength(0)
  })

  test('stays due if another setting is changed', async () => {
    const id = await install()
    await untilDue(id)
    const body = { extensionNickname: 'Night prices' }
    await expectOk(call(`PUT /api/extensions/installed/${id}`, { body }))
    await sweep()
    expect(await tasks()).toHaveLength(1)
  })

  test('logs once per due time that it cannot start, and is retried at the next', async () => {
    const id = await install({ additionalData: {} })
    await untilDue(id)
    await sweep()
    await sweep()
    expect(await logs(id)).toMatchObject([
      { success: false, errorMessage: expect.stringMatching(/^fileUrl: required/) },
    ])
    await untilDue(id)
    await sweep()
    expect(await logs(id)).toHaveLength(2)
  })

  test('of a user ends with the user’s right to import', async () => {
    const id = await install({ extensionLevel: 'user' })
    const operator = caller(services[0]!, { key: OPERATOR_KEY, organization: organization.id })
    await expectOk(save(operator, 'second', { role: 'administrator' }))
    await expectOk(save(operator, 'administrator', { role: 'viewer' }))
    await untilDue(id)
    await sweep()
    expect(await tasks()).toHaveLength(0)
    expect((await logs(id))[0].errorMessage).toContain('requires the role editor')
  })
})

describe('an invalid schedule is refused', () => {
  test.each<[string, object, string]>([
    ['that runs every second', { schedule: '* * * * * *' }, 'schedule: must have five fields'],
    [
      'that runs every minute',
      { schedule: '* * * * *' },
      'schedule: must not run more often than every 5',
    ],
    ['in an unknown zone', { timezone: 'Mars/Base' }, 'timezone: unknown'],
    ['that never comes', { schedule: '0 0 31 2 *' }, 'schedule: would not run within 10 years'],
  ])('%s', async (_, settings, text) => {
    const body = { schedule: '0 3 * * *', ...settings }
    expect(await call(INSTALL, { body })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(text) },
    })
    const line = 'POST /api/extensions/available/file/validate'
    expect((await call(line, { body })).body).toMatchObject({ success: false })
    const id = await install()
    const update = await call(`PUT /api/extensions/installed/${id}`, { body })
    expect(update.status).toBe(400)
  })
})
