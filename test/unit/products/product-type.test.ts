import { describe, expect, test } from 'vitest'
import type { Product } from '../../../src/products/product.ts'
import { productTypes } from '../../../src/products/product-type.ts'

const types = (product: Partial<Product>) =>
  productTypes({
    ...{ name: null, manufacturer: null, category: null, subCategory: null },
    ...{ attributes: {}, facets: {} },
    ...product,
  } as Product)

describe('the type of a product by its name', () => {
  test.each([
    ['CHERRY WetEx Keyboard cover', 'cover'],
    ['Targus Compact Optical mouse USB', 'mouse'],
    ['Kensington Mouse Wrist Pillow', 'pillow'],
    ['Philips DLA63039 SlimSleeve for iPod nano', 'slimsleeve'],
    ['Brother Drum for Laser Printer', 'drum'],
    ['Hülle für Notebook', 'hulle'],
    ['HP 530 Notebook PC', 'notebook'],
    ['Lexmark printer/scanner spare part', 'part'],
    ['Verbatim AA Alkaline Batteries', 'battery'],
    ['Light switches', 'switch'],
    ['Laptop USB 2.0 adapter card', 'card'],
    ['2 Port Laptop 1394a Firewire Adapter Card', 'card'],
    ['Wireless 802.11ac router', 'router'],
    ['Headset 2 m', 'headset'],
    ['32" LCD TV', 'tv'],
    ['Notebook 15.6 inch Pro, 65 W charger', 'notebook'],
  ])('%s: %s', (name, type) => {
    expect(types({ name })).toContain(type)
  })

  test.each([
    ['CHERRY WetEx Keyboard cover', 'keyboard'],
    ['Sleeve for notebook', 'notebook'],
    ['HP 530 Notebook PC', 'pc'],
    ['Laptop USB 2.0 adapter card', 'laptop'],
    ['LaserJet 250-sheet input tray', 'laserjet'],
  ])('%s: not %s', (name, type) => {
    expect(types({ name })).not.toContain(type)
  })

  test('before a number and an accessory is what the accessory is for', () => {
    const name = 'Laptop 12-24V Car Adapter 90W power adapter/inverter'
    expect(types({ name })).toEqual(['adapter', 'inverter'])
    expect(types({ name: 'Phaser 6360 Toner Cartridges' })).toEqual(['cartridge'])
  })

  test('excludes its properties at the end, and its manufacturer', () => {
    const facets = { Colour: 'Night black', Connection: 'Optical' }
    expect(types({ name: 'Acme mouse Optical Night black', manufacturer: 'Acme', facets })).toEqual(
      ['mouse'],
    )
    expect(types({ name: 'Acme', manufacturer: 'Acme' })).toEqual([])
  })

  test.each([
    ['Case Works A5 camera case', 'Case Works', ['case']],
    ['Cable House HDMI Cable', 'Cable House', ['cable']],
    ['Mouse Black Cable House', 'Cable House', ['mouse']],
    ['Wire.com 10 ft Power Cord', 'Wire.com', ['cord']],
    ['HP Notebook', 'HP Inc.', ['notebook']],
    ['Cable', 'Cable House', []],
  ])(
    '%s by %s: excludes its manufacturer, but not words of the manufacturer',
    (name, manufacturer, expected) => {
      expect(types({ name, manufacturer })).toEqual(expected)
    },
  )
})

describe('the type of a product by its categories', () => {
  test('is the last word of each of their parts', () => {
    expect(types({ category: 'Drills & Drivers', subCategory: 'Cordless Drill Drivers' })).toEqual([
      'driver',
      'drill',
    ])
  })

  test('makes the words that follow it in the name properties', () => {
    const product = { name: 'SSD Notebook, Silver, Nordic keyboard', category: 'Computers' }
    expect(types(product)).toEqual(['computer', 'notebook'])
  })

  test('can be an attribute', () => {
    expect(types({ facets: { 'Product type': 'Notebook' } })).toEqual(['notebook'])
  })
})
