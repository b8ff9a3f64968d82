import { bucketsIn } from '../elastic/answer-parts.ts'
import type { Collection } from '../elastic/collection.ts'
import type { CallOptions } from '../elastic/place.ts'
import type { Context } from '../operation.ts'
import { configuredTexts } from '../organizations/organization.ts'
import { familyOf } from '../organizations/store.ts'
import { mapPaced } from '../platform/pacing.ts'
import {
  createManufacturerNames,
  type ManufacturerNames,
  readAliases,
} from './manufacturer-names.ts'

const TABLE = 'manufacturerAliases'

/** Manufacturer names by the configuration of the organization, else of its parent. */
export async function manufacturerNamesOf(ctx: Context): Promise<ManufacturerNames> {
  const family = await familyOf(ctx, ctx.organization.id, { signal: ctx.signal })
  const aliases = await mapPaced(ctx.signal, configuredTexts(family, TABLE), readAliases)
  return createManufacturerNames(aliases.flat())
}

/** The manufacturers of these products as they are spelled, the most common first. */
export async function spellingsIn<T extends object>(
  { search }: Pick<Collection<T>, 'search'>,
  size: number,
  options: CallOptions,
): Promise<string[]> {
  const aggs = { names: { terms: { field: 'search.manufacturer', size } } }
  const answer = await search({ size: 0, track_total_hits: false, aggs }, options)
  return bucketsIn(answer, 'names').map(({ key }) => key)
}
