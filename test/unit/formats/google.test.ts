import { describe, expect, test } from 'vitest'
import { google } from '../../../src/formats/google/format.ts'
import { openRows } from '../../support/open-rows.ts'

const G = 'xmlns:g="http://base.google.com/ns/1.0"'
const rss = (item: string, declared = G) =>
  `<rss ${declared}><channel><item>${item}</item></channel></rss>`
const atom = (entry: string, declared = G) =>
  `<feed xmlns="http://www.w3.org/2005/Atom" ${declared}><entry>${entry}</entry></feed>`

async function read(feed: string) {
  const { file, changes, refused } = await openRows(google, feed, { unmapped: 'attribute' })
  expect(refused).toEqual([])
  const { id, patch, attributes = {}, offers } = changes[0]!
  return { id, patch, attributes, cost: offers[0]?.cost, headings: file.headings }
}

describe('of elements with one name in a feed', () => {
  test('those of Google count, whatever their prefix', async () => {
    const entry = atom(
      `<id>tag:a.example,2026:1</id><g:id>G2</g:id><title>T</title><g:title>Tee, red</g:title>
      <link href="https://a.example/1"/><g:link>https://a.example/2</g:link>`,
    )
    const found = { id: 'G2', patch: { name: 'Tee, red' }, headings: ['id', 'title', 'link'] }
    expect(await read(entry)).toMatchObject(found)
    expect(
      await read(
        entry
          .replaceAll('<g:', '<shop:')
          .replaceAll('</g:', '</shop:')
          .replace('xmlns:g', 'xmlns:shop'),
      ),
    ).toMatchObject(found)
    expect((await read(entry)).attributes).toEqual({ link: 'https://a.example/2' })
  })

  test('those of Google count as the default namespace', async () => {
    const declared = 'xmlns="http://base.google.com/ns/1.0" xmlns:a="http://www.w3.org/2005/Atom"'
    const item = '<a:id>tag:1</a:id><id>G2</id><title>Tee</title><a:title>T</a:title>'
    expect(await read(rss(item, declared))).toMatchObject({ id: 'G2', patch: { name: 'Tee' } })
  })

  test('those of Google count where an item or the element itself declares the prefix', async () => {
    const item = `<id>1</id><x:id xmlns:x="http://base.google.com/ns/1.0">G2</x:id><title>T</title>`
    expect(await read(rss(item, ''))).toMatchObject({ id: 'G2', patch: { name: 'T' } })
    const other = '<g:id xmlns:g="https://b.example">B</g:id><g:id>G2</g:id><title>T</title>'
    expect(await read(rss(other))).toMatchObject({ id: 'G2' })
  })

  test('an undeclared g and https in the namespace mean Google, too', async () => {
    const item = '<id>1</id><g:id>G2</g:id><title>T</title>'
    expect(await read(rss(item, ''))).toMatchObject({ id: 'G2' })
    const https = 'xmlns:g="https://base.google.com/ns/1.0"'
    expect(await read(rss(item, https))).toMatchObject({ id: 'G2' })
  })

  test('those of the feed count where Google’s are missing or empty', async () => {
    const item = '<g:id>G2</g:id><title>T</title><g:title> </g:title>'
    expect(await read(rss(item))).toMatchObject({ id: 'G2', patch: { name: 'T' } })
    expect(await read(atom(item))).toMatchObject({ id: 'G2', patch: { name: 'T' } })
    const prefixed = rss(
      '<a:id>1</a:id><a:title>T</a:title>',
      'xmlns:a="http://www.w3.org/2005/Atom"',
    )
      .replace('<item>', '<a:entry>')
      .replace('</item>', '</a:entry>')
    expect(await read(prefixed)).toMatchObject({ id: '1', patch: { name: 'T' } })
  })

  test('those of other namespaces never count', async () => {
    const declared = `${G} xmlns:c="http://base.google.com/cns/1.0"`
    const item = `<g:id>1</g:id><title>T</title><g:price>5 EUR</g:price><c:price>6</c:price>
      <c:season>winter</c:season><note xmlns="https://b.example">n</note><d:x>y</d:x>`
    expect(await read(rss(item, declared))).toEqual({
      ...{ id: '1', patch: { name: 'T' }, attributes: {}, cost: 5 },
      headings: ['id', 'title', 'price'],
    })
  })
})

describe('a repeated element', () => {
  const product = '<g:id>1</g:id><g:title>T</g:title>'

  test('that fills a list is one, without equal entries', async () => {
    const pictures = [
      ...['https://a.example/c_fill,w_9/1.jpg', 'https://a.example/2|3.jpg'],
      'https://a.example/4.jpg',
    ]
    const links = [...pictures, pictures[0]].map(
      (url) => `<g:additional_image_link>${url}</g:additional_image_link>`,
    )
    const codes = '<gtin>4006381333931</gtin><gtin>036000291452</gtin><gtin>4006381333931</gtin>'
    const { patch } = await read(rss(`${product}${links.join('')}${codes}`))
    expect(patch.images?.map(({ url }) => url)).toEqual(pictures)
    expect(patch.upcs).toEqual(['4006381333931', '036000291452'])
    const same = await read(rss(`${product}<gtin>1</gtin><g:gtin>1</g:gtin>`))
    expect(same.patch.upcs).toEqual(['1'])
  })

  test('of which a product has one is its first', async () => {
    const item = `${product}<g:product_type/><g:product_type>A &gt; B</g:product_type>
      <g:product_type>C &gt; D</g:product_type><g:id>2</g:id><g:color>Red</g:color><g:color>Blue</g:color>`
    const { id, patch } = await read(rss(item))
    expect([id, patch.segment, patch.category]).toEqual(['1', 'A', 'B'])
    expect((await read(rss(item))).headings).toContain('color')
  })

  test('of which Google reads several becomes one text', async () => {
    const shipping = (country: string) =>
      `<g:shipping><g:country>${country}</g:country><g:price>4.90 EUR</g:price></g:shipping>`
    const highlights = ['Soft', 'Warm', 'Soft'].map(
      (text) => `<g:product_highlight>${text}</g:product_highlight>`,
    )
    const item = `${product}${shipping('DE')}${shipping('AT')}${highlights.join('')}`
    expect((await read(rss(item))).attributes).toEqual({
      shipping: 'DE:4.90 EUR,AT:4.90 EUR',
      product_highlight: 'Soft,Warm',
    })
  })
})
