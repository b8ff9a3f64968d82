import { request } from 'node:http'
import type { Attack, Target, Tenant } from './attack.ts'
import { answersUnder, clients, many } from './clients.ts'

/** Different letters, which take longest to encode. */
const letters = (count: number) =>
  many(count, (at) => String.fromCodePoint(0x4e00 + ((at * 7) % 20_000))).join('')
const ADDRESS = `https://${letters(1_900)}.example/`
const PRODUCTS = 10

const rules = many(300, (at) => ({
  name: `rule ${at}`,
  when: { query: `words ${at}`, match: 'exact' },
  redirect: ADDRESS,
}))

/** A request without a key, which fetch does not send with this host. */
const unknownHost = (target: Target): Promise<Response> =>
  new Promise((resolve, reject) => {
    const host = encodeURIComponent(letters(1_600))
    request({ port: target.port, path: '/api/status', headers: { host } }, (answer) => {
      answer.resume().once('end', () => resolve(new Response(null, { status: answer.statusCode! })))
    })
      .on('error', reject)
      .end()
  })

export const attack: Attack = {
  name: 'long hosts',
  what: 'four clients send addresses whose hosts have thousands of letters: in rules, for pictures, and as Host',
  async prepare(target) {
    const tenant = await target.tenant()
    const images = many(150, (at) => ({ url: `${ADDRESS}${at}` }))
    await tenant.add(many(PRODUCTS, (at) => ({ id: `L-${at}`, images })))
    const requests: readonly ((tenant: Tenant) => Promise<Response>)[] = [
      ({ call }) => call('PUT', '/api/Catalog/shop/search/rules', rules),
      ({ call }) => call('POST', '/api/Catalog/shop/pictures/fetch', {}),
      () => unknownHost(target),
      () => unknownHost(target),
    ]
    return (signal) =>
      answersUnder(
        clients(4, (turn) => requests[turn % requests.length]!(tenant)),
        signal,
      )
  },
}
