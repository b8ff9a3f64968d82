import { describe, expect, test } from 'vitest'
import { usedPictures, withFetched, withSources } from '../../../src/products/pictures.ts'
import type { FetchedPicture, Product } from '../../../src/products/product.ts'

const picture = (source: string, url: string): FetchedPicture => ({ source, url, task: 't' })
const RED = picture('https://a.example/red.png', 'https://aisle.example/api/images/red.png')
const BLUE = picture('https://a.example/blue.png', 'https://aisle.example/api/images/blue.png')
const product = (image: string | null, ...urls: string[]) =>
  ({
    image,
    images: urls.map((url) => ({ id: null, url, name: null, type: null })),
  }) as unknown as Product

describe('downloaded pictures', () => {
  test('are removed with the address that they were downloaded from', () => {
    const pictures = [RED, BLUE]
    expect(usedPictures({ product: product(RED.source), pictures })).toEqual([RED])
    expect(usedPictures({ product: product(null, BLUE.source), pictures })).toEqual([BLUE])
    expect(usedPictures({ product: product('constructor'), pictures })).toBeUndefined()
    expect(usedPictures({ product: product(RED.source) })).toBeUndefined()
  })

  test('replace those of the same address', () => {
    const newer = picture(RED.source, 'https://aisle.example/api/images/green.png')
    expect(withFetched({ pictures: [RED, BLUE] }, [newer])).toEqual([BLUE, newer])
  })

  test('in a patch are replaced with their addresses, and nothing else is', () => {
    const patch = product(RED.url, BLUE.url, 'https://b.example/c.png')
    const own = withSources(patch, { pictures: [RED, BLUE] })
    expect([own.image, ...own.images.map(({ url }) => url)]).toEqual([
      ...[RED.source, BLUE.source, 'https://b.example/c.png'],
    ])
    expect(withSources(patch, {})).toBe(patch)
  })
})
