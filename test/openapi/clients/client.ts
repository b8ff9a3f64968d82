import type { paths } from './6.0.ts'

type Search = paths['/api/search']['post']
type ByAddress = paths['/api/search']['get']
type Many = paths['/api/search/many']['post']
type Json<Answer> = Answer extends { content: { 'application/json': infer Body } } ? Body : never

/** Code of a program that searches: a misnamed field or a wrong type is a compile error. */
export const request: Json<Search['requestBody']> = {
  keywords: 'cordless drill',
  must: [{ type: 'facet', name: 'Voltage', value: '18 V' }],
  fields: ['name', 'price'],
}

export const query: ByAddress['parameters']['query'] = {
  catalog: 'tools',
  manufacturer: ['Drakesmoor'],
  sort: '-price',
}

/** Neither the version nor the organization header is required. */
export const headers: NonNullable<ByAddress['parameters']['header']> = {}

export const namesIn = ({ products, total }: Json<Search['responses'][200]>): string =>
  `${total}: ${products.map(({ id, name }) => name ?? id).join(', ')}`

export const totalsIn = ({ results }: Json<Many['responses'][200]>): (number | string | null)[] =>
  results.map(({ answer, error }) => answer?.total ?? error)

// @ts-expect-error there is no such order
export const misnamed: ByAddress['parameters']['query'] = { sort: 'cheapest' }
