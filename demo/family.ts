import type { Maker } from './makers.ts'
import type { Random } from './random.ts'

/** What a family decides about one product; the rest is derived the same way for every family. */
export interface Draft {
  /** Without the manufacturer; unique among the products of one maker. */
  readonly name: string
  readonly description: string
  readonly subCategory: string
  readonly unspsc: string
  /** Inserted into the maker's part-number pattern. */
  readonly code: string
  readonly msrp: number
  /** With units, as on a data sheet. */
  readonly attributes: Readonly<Record<string, string>>
  readonly facets: Readonly<Record<string, string>>
  readonly filters: Readonly<Record<string, number>>
}

/** A kind of product that a reseller or a maintenance buyer knows. */
export interface Family {
  /** Prefix of the product ids, as in `notebook-0001`. */
  readonly key: string
  readonly count: number
  readonly segment: string
  readonly category: string
  readonly makers: readonly Maker[]
  draft(random: Random, maker: Maker): Draft
}

export const SEGMENTS = {
  it: 'Information Technology',
  office: 'Office Supplies',
  tools: 'Tools & Hardware',
  safety: 'Safety',
  facility: 'Facility Maintenance',
  power: 'Power Transmission',
} as const
