import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { partOf } from '../../src/platform/load-owner.ts'
import { smtpNotifier } from '../../src/platform/mail.ts'
import { caller, newOrganization, OPERATOR_KEY } from '../support/client.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { startService, type TestService } from '../support/service.ts'

const FROM = 'aisle@shop.example'

let mail: MailServer
let service: TestService
beforeAll(async () => {
  mail = await startMailServer()
  service = await startService({ notifier: smtpNotifier({ url: mail.url, from: FROM }) })
})
afterAll(() => mail.close())

/** Saves a user and returns the mails that were sent. */
async function save(org: { call: ReturnType<typeof caller> }, username: string, body: object) {
  const before = mail.mails.length
  const line = `PUT /api/organizations/current/users/${encodeURIComponent(username)}`
  const { status } = await org.call(line, { body })
  await service.services.background.settled()
  return { status, sent: mail.mails.slice(before) }
}

describe('Save User with sendNotification', () => {
  test('sends the user one email', async () => {
    const org = await newOrganization(service)
    const body = { role: 'editor', firstName: 'Grace', lastName: 'Hopper', sendNotification: true }
    const { status, sent } = await save(org, 'grace@shop.example', body)
    expect(status).toBe(200)
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatchObject({ from: FROM, to: ['grace@shop.example'] })
    expect(sent[0]!.headers.get('subject')).toEqual([`You are a member of ${org.id}`])
    expect(sent[0]!.headers.get('to')).toEqual(['grace@shop.example'])
    expect(sent[0]!.text).toBe(
      `Hello Grace Hopper,\n\nadministrator added you to ${org.id} (${org.id}) at http://localhost:3000 with the role editor.\nTo get an API key, ask an administrator of the organization.\n`,
    )
  })

  test('sends nothing unless requested, and nothing to a username that is not an address', async () => {
    const org = await newOrganization(service)
    const asked = { sendNotification: true }
    for (const [username, body] of [
      ['a@shop.example', {}],
      ['a@shop.example', { sendNotification: false }],
      ['a@shop.example', { sendNotification: null }],
      ['grace', asked],
      ['grace@localhost', asked],
      ['a@b@shop.example', asked],
    ] as const) {
      const { status, sent } = await save(org, username, body)
      expect([username, status, sent]).toEqual([username, 200, []])
    }
    const refused = await save(org, 'a@shop.example', { role: 'king', sendNotification: true })
    expect([refused.status, refused.sent]).toEqual([400, []])
  })

  test('writes odd names as text, without injecting headers', async () => {
    const { id } = await newOrganization(service)
    const operator = caller(service, { key: OPERATOR_KEY, organization: id })
    const name = 'Evil\r\nBcc: victim\r\n\r\n<b>Größe, "Söhne"'
    await operator('PUT /api/organizations/current', { body: { name } })
    const user = "o'brien+test@shop.example"
    const { sent } = await save({ call: operator }, user, {
      firstName: 'Eve\r\nTo: victim',
      lastName: '.\r\nRSET\r\n.\r\nMAIL FROM:<x>',
      sendNotification: true,
    })
    expect(sent).toHaveLength(1)
    const [{ to, headers, text }] = sent as [(typeof sent)[0]]
    expect([to, headers.get('to')]).toEqual([[user], [user]])
    expect(headers.has('bcc')).toBe(false)
    expect(headers.get('subject')).toHaveLength(1)
    expect(text.split('\n').slice(0, 3)).toEqual([
      'Hello Eve To: victim . RSET . MAIL FROM:<x>,',
      '',
      `operator added you to Evil Bcc: victim <b>Größe, "Söhne" (${id}) at http://localhost:3000 with the role viewer.`,
    ])
  })

  test('shows no names that mail programs may turn into links', async () => {
    const org = await newOrganization(service)
    await org.call('PUT /api/organizations/current', { body: { name: 'You won! evil.example' } })
    for (const firstName of ['See http://evil', 'See evil.example', 'Ask eve@evil']) {
      const user = `${crypto.randomUUID()}@shop.example`
      const { sent } = await save(org, user, { firstName, sendNotification: true })
      expect(sent[0]!.headers.get('subject')).toEqual([`You are a member of ${org.id}`])
      expect(sent[0]!.text.split('\n')[0]).toBe(`Hello ${user},`)
      expect(sent[0]!.text).not.toContain('evil')
    }
    const user = `${crypto.randomUUID()}@shop.example`
    const { sent } = await save(org, user, {
      firstName: 'J.R. (Acme B.V.)',
      sendNotification: true,
    })
    expect(sent[0]!.text.split('\n')[0]).toBe('Hello J.R. (Acme B.V.),')
  })

  test('sends an organization and its sub-organizations a hundred emails in an hour', async () => {
    const away = await startMailServer()
    await away.close()
    const notifier = smtpNotifier({ url: away.url, from: FROM })
    const send = (owner: string) =>
      notifier
        .send({ owner, to: `${crypto.randomUUID()}@shop.example`, subject: 's', text: 't' })
        .catch(({ message }: Error) => message)
    for (let i = 0; i < 100; i++) {
      expect(await send(partOf('parent', `${i % 2}`))).toContain('ECONNREFUSED')
    }
    const tooMany = 'the organization exceeded its limit of 100 emails per hour'
    expect(await send(partOf('parent', '2'))).toBe(tooMany)
    expect(await send('parent')).toBe(tooMany)
    expect(await send('another')).toContain('ECONNREFUSED')
  })

  test('sends an address one email in ten minutes, whichever sub-organization asks', async () => {
    const notifier = smtpNotifier({ url: mail.url, from: FROM })
    const before = mail.mails.length
    const send = (owner: string, to: string) =>
      notifier.send({ owner, to, subject: 's', text: 't' }).catch(() => 'refused')
    await send(partOf('parent', 'a'), 'x@shop.example')
    expect(await send(partOf('parent', 'b'), 'X@shop.example')).toBe('refused')
    await send('another', 'x@shop.example')
    await send(partOf('parent', 'a'), 'y@shop.example')
    const to = mail.mails.slice(before).map((one) => one.to[0])
    expect(to).toEqual(['x@shop.example', 'x@shop.example', 'y@shop.example'])
  })

  test('does not let emails of one organization delay those of another', async () => {
    const notifier = smtpNotifier({ url: mail.url, from: FROM })
    const send = (name: string, owner: string) =>
      notifier.send({ owner, to: `${name}@shop.example`, subject: 's', text: 't' })
    // Sub-organizations count as one with their parent.
    const flood = Array.from({ length: 300 }, (_, i) =>
      send(`flood${i}`, partOf('flood', `${i % 9}`)).catch(() => 'refused'),
    )
    await send('other', 'other')
    const sent = mail.mails.map(({ to: [to] }) => to)
    expect(sent.filter((to) => to!.startsWith('flood')).length).toBeLessThan(50)
    expect(new Set(await Promise.all(flood))).toEqual(new Set([undefined, 'refused']))
  })

  test('returns the same if the mail server refuses or is unavailable', async () => {
    const away = await startMailServer()
    const url = away.url
    await away.close()
    const refusing = await startMailServer()
    refusing.refuse()
    for (const server of [url, refusing.url]) {
      const other = await startService({ notifier: smtpNotifier({ url: server, from: FROM }) })
      const org = await newOrganization(other)
      const line = 'PUT /api/organizations/current/users/ada@shop.example'
      const { status, body } = await org.call(line, { body: { sendNotification: true } })
      expect([status, body.message]).toEqual([200, 'User saved.'])
      await other.services.background.settled()
      const { users } = (await org.call('GET /api/organizations/current')).body
      expect(users.at(-1).username).toBe('ada@shop.example')
    }
    await refusing.close()
  })
})
