import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { seedCatalog } from '../support/catalog.ts'
import {
  type Call,
  caller,
  expectOk,
  newOrganization,
  OPERATOR_KEY,
  type TestOrganization,
} from '../support/client.ts'
import { keepImage } from '../support/pictures.ts'
import type { TestService } from '../support/service.ts'

export const IDENTITIES = [
  'none',
  'bad key',
  'disabled key',
  'viewer',
  'editor',
  'administrator',
  'operator',
  'search key',
  'import key',
  'session key',
] as const
export type Identity = (typeof IDENTITIES)[number]

/** An organization with all kinds of callers, in which contracts create what they need. */
export interface World {
  readonly service: TestService
  readonly organization: TestOrganization
  /** A call of an administrator, which must succeed. */
  readonly call: Call
  /** A call as the identity that will send the request, for personal things; it may be refused. */
  readonly mine: Call
  /** A new unique name: `fresh('tools')` is documented as `tools`. */
  fresh(word: string): string
  /** Notes an id that the service chose, so that a missing id of its form can be made. */
  note(id: string): string
  /** A new catalog without products. */
  catalog(): Promise<string>
  /** A catalog with two searchable products: a drill D-100 and a wrench W-300. */
  shop(): Promise<string>
  /** A new product that searches find by its id: [catalog, id]. */
  product(): Promise<[catalog: string, id: string]>
  /** The username of a new member. */
  user(role?: string): Promise<string>
  /** The address of an uploaded file, uploaded by the import key if that will call. */
  file(content?: string): Promise<string>
  /** The id of a stored picture. */
  image(): Promise<string>
  keyOf(identity: Identity): Promise<string | undefined>
  /** The same world with this identity as `mine`. */
  as(identity: Identity): World
  /** Ids and names that were created here. */
  readonly made: ReadonlySet<string>
}

export async function newWorld(service: TestService): Promise<World> {
  const organization = await newOrganization(service)
  const made = new Set<string>()
  const keys = new Map<Identity, Promise<string | undefined>>()
  const call: Call = (line, parts) => expectOk(organization.call(line, parts))
  const note = (id: string) => {
    made.add(id)
    return id
  }
  const fresh = (word: string) => note(`${word}--${randomBytes(4).toString('hex')}`)
  const keyOf = (identity: Identity) => {
    const known = keys.get(identity) ?? makeKey(organization, identity)
    keys.set(identity, known)
    return known
  }
  const catalog = async () => {
    const name = fresh('tools')
    await call('POST /api/Catalog', { body: { name, description: 'Hand and power tools' } })
    return name
  }
  const workshop = await catalog()
  const demo = await seedCatalog(service, organization, [drill, wrench], fresh('demo'))
  const as = (identity: Identity): World => ({
    service,
    organization,
    call,
    made,
    note,
    fresh,
    keyOf,
    catalog,
    shop: async () => demo,
    as,
    mine: async (line, parts) =>
      caller(service, { key: (await keyOf(identity)) ?? null, organization: organization.id })(
        line,
        parts,
      ),
    async product() {
      const [name, id] = [workshop, fresh('D-100')]
      await call(`POST /api/Catalog/${name}/products`, { body: { ...drill, id } })
      return [name, id]
    },
    async user(role = 'viewer') {
      const name = fresh('ada')
      await call(`PUT /api/organizations/current/users/${name}`, { body: { role } })
      return name
    },
    async file(content = 'sku,brand\nD-100,Drakesmoor\n') {
      const headers = { 'content-type': 'application/octet-stream' }
      const upload = identity === 'import key' ? this.mine : call
      const { body } = await upload('POST /api/files?name=tools.csv', { body: content, headers })
      note(body.url.split('/').at(-1))
      return body.url
    },
    async image() {
      const { id } = await keepImage(service.services, await picture())
      note(id.split('.')[0]!)
      return id
    },
  })
  return as('administrator')
}

/** Fields of the products of a world. */
export const drill = {
  id: 'D-100',
  name: 'Forge 18 V cordless drill driver',
  manufacturer: 'Drakesmoor',
  manufacturerPartNumber: 'DS18-040',
  category: 'Drills',
  msrp: 129,
  facets: { Voltage: '18 V' },
  filters: { Weight: 1.6 },
  vendors: [
    {
      vendorName: 'Oakvale Supply',
      vendorPartNumber: 'OV-77',
      cost: 89.5,
      onHand: 12,
      inStock: true,
    },
  ],
}

const wrench = { id: 'W-300', name: 'Combination wrench 19 mm', category: 'Wrenches', msrp: 8.2 }

const picture = () =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: '#369' } })
    .png()
    .toBuffer()

async function makeKey(organization: TestOrganization, identity: Identity) {
  const { key, call } = organization
  if (identity === 'none') return undefined
  if (identity === 'bad key') return `aisle_full_${'0'.repeat(40)}`
  if (identity === 'operator') return OPERATOR_KEY
  if (identity === 'search key') return key('administrator', 'search')
  if (identity === 'import key') return key('administrator', 'import')
  if (identity === 'session key') return sessionKey(organization)
  if (identity !== 'disabled key') return key(identity)
  const { body } = await expectOk(call('POST /api/KeyAuth/keys', { body: { name: 'old' } }))
  await expectOk(call(`DELETE /api/KeyAuth/keys/${body.id}`))
  return body.key as string
}

/** The key of a punchout session of the viewer. */
async function sessionKey({ id, call, key }: TestOrganization): Promise<string> {
  const configurations = [{ name: 'punchoutCallbackHosts', defaultValue: 'buyer.example' }]
  await expectOk(call('PUT /api/organizations/current', { body: { configurations } }))
  const buyer = { company: id, username: 'viewer', apiKey: await key('viewer') }
  const body = { ...buyer, callbackUrl: 'https://buyer.example/cart' }
  const setup = await expectOk(call('POST /api/KeyAuth/punchout/setup/json', { body }))
  const token = setup.body.startPageUrl.split('=')[1]
  const session = await expectOk(call(`GET /api/KeyAuth/punchout/session/${token}`))
  return session.body.key
}
