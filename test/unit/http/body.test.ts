import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { parseBody, readBody } from '../../../src/http/body.ts'
import { expectStepsBelow } from '../../support/expect-steps.ts'
import { oddObjects } from '../../support/odd-objects.ts'

const MIB = 1024 * 1024

interface Sent {
  readonly status: number
  readonly text: string
}

/** Sends a body; the answer is the number of its members, or why it is refused. */
async function send(body: string): Promise<Sent> {
  const app = new Hono<{ Variables: { call: object } }>()
  app.onError((error, c) => c.text(error.message, 400))
  app.use(async (c, next) => {
    c.set('call', {})
    await next()
  })
  app.use(readBody({ bytes: 4 * MIB, values: 200_000 }), parseBody(false))
  app.post('/', async (c) => c.text(String((await c.req.json()).all.length)))
  const answer = await app.request('/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  return { status: answer.status, text: await answer.text() }
}

test('a large body is parsed in steps, whatever names its objects have', async () => {
  const body = `{"all":${oddObjects()}}`
  await send(body)
  let sent: Sent | undefined
  await expectStepsBelow(60, async () => {
    sent = await send(body)
  })
  expect(sent).toEqual({ status: 200, text: '9400' })
})

test('a malformed large body is refused with the place', async () => {
  const body = `{"all":[${'{"a":1},'.repeat(20_000)}{"a":1;2}]}`
  expect(await send(body)).toEqual({
    status: 400,
    text: 'body: not valid JSON (malformed near character 160017)',
  })
})
