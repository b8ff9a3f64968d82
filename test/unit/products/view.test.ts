import { describe, expect, test } from 'vitest'
import type { KeyType } from '../../../src/operation.ts'
import { toProduct10 } from '../../../src/products/responses.ts'
import { catalogPatch, viewProduct, viewSource } from '../../../src/products/view.ts'
import { document } from './make.ts'

const link = (value: string, type = 'manual') => ({ type, value, recommended: false })
const image = (url: string) => ({ id: null, url, name: null, type: null })

const annotated = document(
  { links: [link('own')], images: [image('own')] },
  {
    mine: {
      favorite: true,
      favoriteUsers: ['ann'],
      tags: ['ours'],
      userTags: { ann: ['hers'], bob: ['his'] },
      notes: [{ username: 'bob', text: 'Nice.', created: 'then', updated: 'now' }],
      extensionFields: [{ extensionId: 'erp', key: 'sku', value: '7' }],
      links: [link('own'), link('added')],
      images: [image('custom')],
    },
    theirs: { favorite: true, tags: ['secret'], links: [link('secret')] },
  },
)

const view = (organization: string, username = 'ann', keyType: KeyType = 'full') =>
  viewProduct(annotated, { organization, username, keyType })

describe('viewProduct', () => {
  test('shows the annotations of the organization in effect and of the caller', () => {
    expect(view('mine')).toMatchObject({
      images: [
        { url: 'own', isCustom: false },
        { url: 'custom', isCustom: true },
      ],
      links: [link('own'), link('added')],
      notes: [{ username: 'bob', text: 'Nice.' }],
      extensionFields: [{ extensionId: 'erp', key: 'sku', value: '7' }],
      favorite: { company: true, user: true },
      tags: ['ours'],
      userTags: ['hers'],
    })
    expect(view('mine', 'eve')).toMatchObject({
      favorite: { company: true, user: false },
      userTags: [],
    })
  })

  test.each(['other', 'constructor'])(
    'shows nothing to the organization %s, which has no annotations',
    (organization) => {
      expect(view(organization, 'constructor')).toMatchObject({
        images: [{ url: 'own' }],
        links: [link('own')],
        notes: [],
        favorite: { company: false, user: false },
        tags: [],
        userTags: [],
      })
    },
  )

  test('shows a search key links, but no other annotations or users', () => {
    expect(view('mine').updatedBy).toBe('maker')
    expect(view('mine', 'ann', 'search')).toMatchObject({
      updatedBy: null,
      notes: [],
      extensionFields: [],
      favorite: { company: false, user: false },
      tags: [],
      userTags: [],
      links: [link('own'), link('added')],
    })
  })

  test('reads only the annotations of one organization', () => {
    expect(viewSource('mine')).toEqual(['product', 'annotations.mine', 'pictures'])
    const { annotations: _, pending: __, ...bare } = annotated
    expect(
      viewProduct(bare, { organization: 'mine', username: 'ann', keyType: 'full' }).notes,
    ).toEqual([])
  })

  test('4.0 adds upcs, tags, userTags and version to 1.0', () => {
    const shown = view('mine')
    const { upcs, tags, userTags, version, ...rest } = shown
    expect(toProduct10(shown)).toEqual(rest)
    expect(Object.keys(toProduct10(shown))).toEqual(Object.keys(rest))
    expect({ upcs, tags, userTags, version }).toEqual({
      upcs: [],
      tags: ['ours'],
      userTags: ['hers'],
      version: '1',
    })
  })
})

test('returned links become catalog data only if they were before', () => {
  const got = view('mine').links
  const linksOf = (links: typeof got, organization: string) =>
    catalogPatch({ links }, annotated, organization).links
  expect(linksOf(got, 'mine')).toEqual([link('own')])
  expect(linksOf([link('added', 'video')], 'mine')).toEqual([link('added', 'video')])
  expect(linksOf(got, 'other')).toEqual(got)
  expect(catalogPatch({}, annotated, 'mine')).toEqual({})
})

describe('many links and pictures are looked at once each', () => {
  let reads = 0
  /** The same object, which counts how often a member is read. */
  const counted = <T extends object>(one: T, name: keyof T): T => {
    const value = one[name]
    const get = () => {
      reads++
      return value
    }
    return Object.defineProperty(one, name, { enumerable: true, get })
  }
  const links = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => counted(link(String(from + at)), 'value'))

  test('when a product is shown', () => {
    const many = document({ links: links(0, 100) }, { mine: { links: links(50, 200) } })
    reads = 0
    const shown = viewProduct(many, { organization: 'mine', username: 'ann', keyType: 'full' })
    expect(shown.links).toHaveLength(200)
    expect(reads).toBeLessThan(1_000)
  })

  test('when it is sent back', () => {
    const many = document({ links: links(0, 100) }, { mine: { links: links(50, 200) } })
    const sent = links(0, 200)
    reads = 0
    expect(catalogPatch({ links: sent }, many, 'mine').links).toHaveLength(100)
    expect(reads).toBeLessThan(1_500)
  })

  test('when its pictures were fetched', () => {
    const urls = Array.from({ length: 100 }, (_, at) => `https://a.example/${at}.png`)
    const pictures = urls.map((source, at) =>
      counted({ source, url: `/${at}.png`, task: 't' }, 'source'),
    )
    reads = 0
    const shown = viewProduct(
      { ...document({ image: urls[0]!, images: urls.map(image) }), pictures },
      { organization: 'mine', username: 'ann', keyType: 'full' },
    )
    expect(shown.images[99]).toMatchObject({ url: '/99.png', source: urls[99] })
    expect(shown.image).toBe('/0.png')
    expect(reads).toBe(100)
  })
})
