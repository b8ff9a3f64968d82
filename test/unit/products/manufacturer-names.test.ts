import { describe, expect, test } from 'vitest'
import { KNOWN_MANUFACTURERS } from '../../../src/products/known-manufacturers.ts'
import {
  bareForm,
  createManufacturerNames,
  readAliases,
} from '../../../src/products/manufacturer-names.ts'

describe('the normalized form of a name', () => {
  test.each([
    ['HP, Inc.', 'hp'],
    ['HP Inc', 'hp'],
    ['Hewlett-Packard Company', 'hewlettpackard'],
    ['Würth Elektronik GmbH & Co. KG', 'wurthelektronik'],
    ['Telefonaktiebolaget A/S', 'telefonaktiebolaget'],
    ['Piaggio S.p.A.', 'piaggio'],
    ["Vogel's Products B.V.", 'vogelsproducts'],
    ['be quiet!', 'bequiet'],
    ['StarTech.com Ltd.', 'startechcom'],
    ['3M', '3m'],
    ['AG', 'ag'],
    ['Co & Co', 'co'],
    ['日本電気', '日本電気'],
    ['---', ''],
    ['', ''],
  ])('of %s is %s', (name, form) => {
    expect(bareForm(name)).toBe(form)
  })
})

describe('names of manufacturers', () => {
  const names = createManufacturerNames()

  test.each([
    ['HP', 'Hewlett-Packard', 'HP Inc.', 'hp', 'HEWLETT PACKARD', 'Hewlett-Packard Company'],
    ['HPE', 'Hewlett Packard Enterprise', 'Hewlett-Packard Enterprise Co.'],
    ['APC', 'American Power Conversion', 'APC by Schneider Electric'],
    ['Western Digital', 'WD', 'western digital corp.'],
    ['TP-Link', 'TPLINK', 'Tp-Link Technologies Co., Ltd.'],
  ])('%s is recognized by its spellings', (...spellings) => {
    expect(new Set(spellings.map(names.form)).size).toBe(1)
    expect(new Set(spellings.map((name) => names.usual(names.form(name))))).toEqual(
      new Set([spellings[0]]),
    )
  })

  test('distinguish different manufacturers', () => {
    const others = ['HP', 'HPE', 'H', 'Dell', 'Schneider Electric', 'APC', 'Eaton', 'Hewlett']
    expect(new Set(others.map(names.form)).size).toBe(others.length)
    expect(names.usual(names.form('Unknown Works'))).toBeUndefined()
    expect(names.chosen(names.form('HP'))).toBeUndefined()
  })

  test('of two known manufacturers are never the same', () => {
    const forms = KNOWN_MANUFACTURERS.flatMap((group) => [...new Set(group.map(bareForm))])
    expect(forms.filter((form, at) => forms.indexOf(form) !== at)).toEqual([])
  })

  test('are chosen by the organization first', () => {
    const own = createManufacturerNames(
      readAliases(
        'Hewlett-Packard = HP; ACME Tools = Acme | Road Runner Supplies\nDell EMC=EMC;=x;y',
      ),
    )
    for (const name of ['HP', 'hp inc', 'Hewlett Packard', 'HP Deutschland GmbH']) {
      expect([name, own.chosen(own.form(name))]).toEqual([name, 'Hewlett-Packard'])
    }
    expect(own.chosen(own.form('ROAD RUNNER SUPPLIES LLC'))).toBe('ACME Tools')
    expect(own.form('acme')).toBe(own.form('ACME Tools, Inc.'))
    expect(own.chosen(own.form('y'))).toBeUndefined()
    expect(own.usual(own.form('Dell'))).toBe('Dell')
    expect(own.form('Dell')).not.toBe(own.form('EMC'))
  })

  test('accept any text', () => {
    for (const name of ['constructor', '__proto__', 'toString', '😀', '\u0000', 'a'.repeat(200)]) {
      expect(typeof names.form(name)).toBe('string')
      expect(names.usual(names.form(name))).toBeUndefined()
    }
  })
})
