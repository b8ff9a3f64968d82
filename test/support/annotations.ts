import { type Call, caller, expectOk, newOrganization, type TestOrganization } from './client.ts'
import { startService, type TestService } from './service.ts'

/** Milliseconds after which searches must find a write, even on a busy machine. */
export const PATIENCE = 30_000

/** An organization with a catalog `c`, for tests of what users add to its products. */
export interface AnnotationBench {
  readonly service: TestService
  readonly org: TestOrganization
  readonly editor: Call
  readonly viewer: Call
  /** Creates a product and returns its path in revision 6.0. */
  create(id: string): Promise<string>
  /** Ids that a search in `c` finds. */
  found(body: object, call?: Call): Promise<string[]>
}

export async function annotationBench(): Promise<AnnotationBench> {
  const service = await startService({ idle: true })
  const org = await newOrganization(service)
  await expectOk(org.call('POST /api/Catalog', { body: { name: 'c' } }))
  return {
    service,
    org,
    editor: await org.as('editor'),
    viewer: await org.as('viewer'),
    async create(id) {
      await expectOk(org.call('POST /api/Catalog/c/products', { body: { id, name: id } }))
      return `/api/Catalog/c/products/${encodeURIComponent(id)}`
    },
    async found(body, call = org.call) {
      const answer = await expectOk(call('POST /api/search/simple?catalog=c', { body }))
      return answer.body.products.map(({ id }: { id: string }) => id)
    },
  }
}

/** Calls as a new viewer, with any valid username. */
export async function newUser(
  { service, org }: Pick<AnnotationBench, 'service' | 'org'>,
  username: string,
): Promise<Call> {
  const path = `/api/organizations/current/users/${encodeURIComponent(username)}`
  await expectOk(org.call(`PUT ${path}`, { body: { role: 'viewer' } }))
  return caller(service, { key: await org.key(username), organization: org.id })
}
