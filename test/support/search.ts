import type { SearchBody } from '../../src/elastic/search.ts'
import { type Sketch, seedCatalog } from './catalog.ts'
import { type Answer, type Call, newOrganization, type TestOrganization } from './client.ts'
import { requestsSent } from './probe.ts'
import { startService, type TestService } from './service.ts'

/** A catalog of a new organization, with shorthands to search it. */
export interface SearchBench {
  readonly service: TestService
  readonly org: TestOrganization
  readonly catalog: string
  /** Sends any call for the catalog: `at('POST', '/count', body)`. */
  at(method: string, path: string, body?: unknown, call?: Call): Promise<Answer>
  /** Sends a search that must succeed, and returns its answer. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  search(body: unknown): Promise<any>
  /** Ids of the products that a search finds, in order. */
  ids(body: object): Promise<string[]>
  /** Number of searches and counts of the catalog sent to Elasticsearch while `work` runs. */
  trips(work: () => Promise<unknown>): Promise<number>
}

/** Creates a bench whose service has no background work, unless `idle` is false. */
export async function searchBench(
  products: readonly Sketch[] | ((org: TestOrganization) => readonly Sketch[]),
  { idle = true }: { readonly idle?: boolean } = {},
): Promise<SearchBench> {
  const service = await startService({ idle })
  const org = await newOrganization(service)
  const sketches = typeof products === 'function' ? products(org) : products
  const catalog = await seedCatalog(service, org, sketches)
  const at = (method: string, path: string, body?: unknown, call = org.call) =>
    call(
      `${method} /api/search${path}${path.includes('?') ? '&' : '?'}catalog=${catalog}`,
      body === undefined ? {} : { body },
    )
  const search = async (body: unknown) => {
    const answer = await at('POST', '', body)
    if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.body.message}`)
    return answer.body
  }
  const ids = async (body: object) => {
    const { products: found } = await search({ includeMetadata: false, pageSize: 250, ...body })
    return found.map(({ id }: { id: string }) => id)
  }
  const trips = async (work: () => Promise<unknown>) =>
    (await searchesSent(service, work)).filter(
      (body) => JSON.stringify(body).includes(catalog) && !isGeneration(body),
    ).length
  return { service, org, catalog, at, search, ids, trips }
}

/** Bodies of a service's searches for products while `work` runs, without `_msearch`. */
export async function searchesSent(
  service: Pick<TestService, 'services'>,
  work: () => Promise<unknown>,
): Promise<SearchBody[]> {
  const sent = await requestsSent(service, work)
  return sent
    .filter(({ path }) => /products\/_(search|count)/.test(path))
    .map(({ body }) => JSON.parse(`${body ?? '{}'}`))
}

/** Whether a search only asks for the last write, and so for no product. */
export const isGeneration = ({ seq_no_primary_term }: SearchBody): boolean =>
  seq_no_primary_term === true
