import { expect, test } from 'vitest'
import { imageIdIn, linkedImages } from '../../../src/products/image-ids.ts'
import { noAnnotations } from '../../../src/products/product.ts'
import { productOf } from '../../support/catalog.ts'

const id = (letter: string) => `${letter.repeat(22)}.png`
const url = (letter: string) => `https://aisle.example/api/images/${id(letter)}`

test.each([
  [url('a'), id('a')],
  [`${url('a')}?width=200`, id('a')],
  [`/aisle/api/images/${id('b')}`, id('b')],
  ['https://cdn.example/a.png', undefined],
  [`https://aisle.example/api/images/${id('a')}/more`, undefined],
  ['https://aisle.example/api/images/', undefined],
  ['', undefined],
])('%s', (address, found) => {
  expect(imageIdIn(address)).toBe(found)
})

test('a product’s images include its own and those of every organization, each once', () => {
  const image = (letter: string) => ({ id: null, url: url(letter), name: null, type: null })
  const product = productOf(
    { id: 'p', image: url('a'), images: [image('a'), image('b')] },
    'catalog',
  )
  const annotations = { one: { ...noAnnotations, images: [image('c')] }, two: noAnnotations }
  expect(linkedImages({ product, annotations })).toEqual([id('a'), id('b'), id('c')])
  expect(linkedImages({ product: productOf({ id: 'p' }, 'c'), annotations: {} })).toBeUndefined()
})
