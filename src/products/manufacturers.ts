import type { Context } from '../operation.ts'
import { configuredTexts } from '../organizations/organization.ts'
import { familyOf } from '../organizations/store.ts'
import {
  createManufacturerNames,
  type ManufacturerNames,
  readAliases,
} from './manufacturer-names.ts'

const TABLE = 'manufacturerAliases'

/** Manufacturer names by the configuration of the organization, else of its parent. */
export async function manufacturerNamesOf(ctx: Context): Promise<ManufacturerNames> {
  const family = await familyOf(ctx, ctx.organization.id, { signal: ctx.signal })
  return createManufacturerNames(configuredTexts(family, TABLE).flatMap(readAliases))
}
