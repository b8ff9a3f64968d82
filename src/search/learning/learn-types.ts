import type { CatalogScope } from '../../catalogs/store.ts'
import type { Aggregated } from '../../elastic/answer-parts.ts'
import type { Elastic } from '../../elastic/client.ts'
import type { Collection } from '../../elastic/collection.ts'
import type { CallOptions } from '../../elastic/place.ts'
import { ofSample } from '../../elastic/sampled.ts'
import type { Context } from '../../operation.ts'
import { inSteps } from '../../platform/in-steps.ts'
import { loadOwner } from '../../platform/load-owner.ts'
import { memoizeWeak } from '../../platform/memoize-weak.ts'
import {
  createStaleWhileRevalidateCache,
  type StaleWhileRevalidateCache,
} from '../../platform/stale-while-revalidate.ts'
import { foundProductsOf, type StoredProduct } from '../../products/product-documents.ts'
import { typeQuery } from '../ranking.ts'
import {
  evidenceBody,
  type LearnedTypes,
  learnedFrom,
  namesBody,
  wordsBeforeFor,
} from './learned-types.ts'
import { frequentValuesBody, valuesBody } from './learned-values.ts'

const REFRESH_MS = 10 * 60 * 1000
/** Timeout of each request in milliseconds. No search waits for it. */
const READ_MS = 10_000
/** Searches that find fewer products do not trigger learning. */
const LEAST_FOUND = 50

const learnedBy = memoizeWeak<Elastic, StaleWhileRevalidateCache<LearnedTypes>>(() =>
  createStaleWhileRevalidateCache({ name: 'types of products', refreshMs: REFRESH_MS }),
)

type LearnedCatalog = Pick<CatalogScope, 'owner' | 'name' | 'index' | 'language'>

const keyOf = ({ owner, name, language }: LearnedCatalog): string => `${owner}/${name}/${language}`

/** What this instance has learned about a catalog's types; undefined before that. */
export const learnedTypesOf = (
  { elastic }: Pick<Context, 'elastic'>,
  scope: LearnedCatalog,
): LearnedTypes | undefined => learnedBy(elastic).known(keyOf(scope))

type LearningContext = Pick<Context, 'elastic' | 'background' | 'clock' | 'organization'>

/** Refreshes what is learned in the background after a search that found `found` products. */
export function learnAfter(
  { elastic, background, clock, organization }: LearningContext,
  scope: LearnedCatalog,
  found: number,
): void {
  if (found < LEAST_FOUND) return
  const owner = loadOwner(organization)
  const read = () => learnTypes(elastic, scope)
  learnedBy(elastic).refresh({ background, clock }, { key: keyOf(scope), owner, read })
}

/**
 * Learns from all products that searches of the catalog can find; values from a sample of very many,
 * or not at all if that fails.
 */
export async function learnTypes(
  elastic: Elastic,
  { owner, name, index, language }: LearnedCatalog,
): Promise<LearnedTypes> {
  const products = foundProductsOf({ elastic }, { owner, name, index })
  const options = { timeoutMs: READ_MS }
  // Accessories are learned in English only, as other analyzers do not distinguish word forms.
  const words = language === 'en' ? wordsBeforeFor(await products.search(namesBody, options)) : []
  const isOf = (types: readonly string[]) => typeQuery(types, 0, language)
  const evidence = await products.search(evidenceBody(words, isOf, language), options)
  const values = await frequentValues(products, options).catch((): Aggregated => ({}))
  const aggregations = { ...evidence.aggregations, ...values.aggregations }
  return inSteps(learnedFrom({ ...evidence, aggregations }, words, language))
}

async function frequentValues(
  { search }: Pick<Collection<StoredProduct>, 'search'>,
  options: CallOptions,
): Promise<Aggregated> {
  const counts = await search(valuesBody, options)
  return ofSample(await search(frequentValuesBody(counts), options))
}
