import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { type AnnotationChange, annotationChange } from '../../../src/annotations/annotate.ts'
import { deleteNote, replaceTags, writeNote } from '../../../src/annotations/changes.ts'
import { limits } from '../../../src/limits.ts'
import { noAnnotations, type ProductDocument } from '../../../src/products/product.ts'
import { document } from '../products/make.ts'

const TIME = Date.parse('2026-03-04T05:06:07Z')
const idAt = (ms: number) => uuidv7({ msecs: TIME + ms })
const writing = (change: AnnotationChange, id = idAt(0), organization = 'acme') =>
  annotationChange({ organization, id, change })
const own = (changed: ProductDocument | undefined, organization = 'acme') =>
  changed!.annotations[organization]!

describe('a change of annotations', () => {
  test('is separate for each organization, and does not touch catalog data', () => {
    const before = document({ name: 'Desk' }, { other: { tags: ['x'] } })
    const after = writing(replaceTags(['a']), idAt(0), 'constructor')(before)!
    expect(after.product).toBe(before.product)
    expect(after.annotations.other).toBe(before.annotations.other)
    expect(own(after, 'constructor').tags).toEqual(['a'])
  })

  test('without effect is not a change', () => {
    const before = document({}, { acme: { tags: ['a'] } })
    expect(writing(replaceTags(['a']))(before)).toBeUndefined()
    expect(writing(replaceTags([]))(document())).toBeUndefined()
  })

  test('can be applied again without effect, even if others made the same change since', () => {
    const first = writing(replaceTags(['a']))
    const second = writing(replaceTags(['b']))
    const both = second(first(document())!)!
    expect(own(both).tags).toEqual(['b'])
    expect(first(both)).toBeUndefined()
    expect(second(both)).toBeUndefined()
  })

  test('that is a deletion can be applied again without an error', () => {
    const noted = writing(writeNote('ada', 'x', new Date(TIME)))(document())!
    const deletion = writing(deleteNote('ada'))
    const deleted = deletion(noted)!
    expect(deletion(deleted)).toBeUndefined()
    expect(() => writing(deleteNote('ada'))(deleted)).toThrow('Note not found.')
  })

  test('forgets writes whose requests are over', () => {
    const [old, late, now] = [idAt(0), idAt(limits.requestMs), idAt(4 * limits.requestMs)]
    const changed = [old, late, now].reduce(
      (current, id, index) => writing(replaceTags([String(index)]), id)(current)!,
      document(),
    )
    expect(own(changed).writes).toEqual([late, now])
  })

  test('with If-Match of another version is refused, unless it took effect already', () => {
    const write = annotationChange({
      organization: 'acme',
      id: idAt(0),
      change: replaceTags(['a']),
      ifMatch: '1',
    })
    expect(() => write(document({ version: 2 }))).toThrow("The product's version is now 2.")
    const changed = write(document())!
    expect(write({ ...changed, product: { ...changed.product, version: 2 } })).toBeUndefined()
  })
})

describe('the limit on annotations', () => {
  const bytes = (count: number) => replaceTags(['x'.repeat(count)])
  const full = limits.annotationBytes

  test('is named in the message of a refusal', () => {
    const spare = full - JSON.stringify({ ...document({}, { acme: {} }).annotations.acme }).length
    const most = writing(bytes(spare - 2))(document())!
    expect(own(most).tags[0]).toHaveLength(spare - 2)
    expect(() => writing(bytes(spare - 1))(document())).toThrow(
      `would take up ${full + 1} bytes. The limit is ${full}`,
    )
  })

  test('applies to each organization separately', () => {
    const crowded = document({}, { other: { tags: ['x'.repeat(full)] } })
    expect(own(writing(replaceTags(['a']))(crowded)).tags).toEqual(['a'])
  })

  test('applies to all organizations together', () => {
    const others = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`${at}`, { tags: ['x'.repeat(full - 200)] }]),
      )
    const fit = Math.floor(limits.productAnnotationBytes / full)
    expect(own(writing(replaceTags(['a']))(document({}, others(fit)))).tags).toEqual(['a'])
    const crowded = document({}, { ...others(fit + 1), acme: { tags: ['ab'] } })
    expect(() => writing(replaceTags(['abc']))(crowded)).toThrow(
      `together have too many favorites, tags, notes, fields, links and images of this product. The limit is ${limits.productAnnotationBytes} bytes.`,
    )
    expect(own(writing(replaceTags(['a']))(crowded)).tags).toEqual(['a'])
  })

  test('never prevents removals', () => {
    const crowded = document({}, { acme: { tags: ['x'.repeat(2 * full)], favorite: true } })
    expect(own(writing(bytes(full))(crowded)).favorite).toBe(true)
  })
})

test('annotations of other organizations are measured once for changes that become one write', () => {
  let looks = 0
  const other = {
    ...noAnnotations,
    get tags() {
      looks++
      return ['x']
    },
  }
  const before = { ...document(), annotations: { other } }
  const first = writing(replaceTags(['a']), idAt(0))(before)!
  writing(replaceTags(['a', 'b']), idAt(1))(first)
  expect(looks).toBe(1)
})
