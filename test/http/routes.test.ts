import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { bySpecificity, matcher, routesOf } from '../../src/http/routes.ts'
import { operation, route } from '../../src/operation.ts'

const named = (name: string, method: 'GET' | 'POST', path: string) =>
  operation({
    name,
    summary: name,
    access: 'public',
    bindings: { '1.0': route(method, path, { answer: z.object({}) }) },
    handle: () => ({}),
  })

describe('routes', () => {
  test('match literals before parameters, segment by segment from the left', () => {
    const paths = ['/a/:x', '/a/:x/:y', '/a/:x/get', '/a/list', '/:z']
    expect([...paths].sort(bySpecificity)).toEqual([
      '/a/list',
      '/a/:x',
      '/a/:x/get',
      '/a/:x/:y',
      '/:z',
    ])
  })

  test('with two operations on one path are refused at start', () => {
    const table = [named('One', 'GET', '/api/:a'), named('Two', 'GET', '/api/:b')]
    expect(() => routesOf(table)).toThrow('Two operations share GET /1.0/api/:b')
  })

  test('know every method of a concrete path', () => {
    const match = matcher(
      routesOf([
        named('Update', 'POST', '/api/Catalog/:name/:id'),
        named('Retrieve', 'POST', '/api/Catalog/:name/retrieveProducts'),
        named('Get', 'GET', '/api/Catalog/:name/:id'),
      ]),
    )
    expect(match('/1.0/api/Catalog/c/retrieveProducts').map(({ operation: o }) => o.name)).toEqual([
      'Retrieve',
      'Update',
      'Get',
    ])
    expect(match('/1.0/api/Catalog/c')).toEqual([])
  })
})
