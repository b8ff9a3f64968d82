import { z } from 'zod'
import { limits } from '../../limits.ts'
import { isWord } from '../../products/criteria.ts'
import { RequiredExact, RequiredText } from '../../shapes.ts'

const listOf = <S extends z.ZodType>(entry: S, most: number) => z.array(entry).max(most).default([])

const hasFewWords = (text: string): boolean => text.split(/\s+/).length <= limits.phraseWords

const Phrase = RequiredText(limits.phraseLength)
  .refine(isWord, 'expected a letter or a digit')
  .refine(hasFewWords, `more than ${limits.phraseWords} words`)

const Phrases = z
  .array(Phrase)
  .max(
    limits.synonymGroupWords,
    `at most ${limits.synonymGroupWords} words; split them into several groups`,
  )
  .default([])

const SynonymGroup = z.object({
  words: Phrases.describe(
    'Words that are synonyms of each other. Use it instead of `from` and `to`.',
  ),
  from: Phrases.describe('Words for which `to` is found as well, but not the reverse.'),
  to: Phrases.describe('Words that are also found for `from`.'),
})

export const SynonymSettings = z
  .object({
    starter: z
      .boolean()
      .default(true)
      .describe('Whether to use the English and German synonyms that come with Aisle.'),
    groups: listOf(SynonymGroup, limits.synonymGroups).describe(
      `Up to ${limits.synonymGroups} groups. Synonyms of synonyms are not used.`,
    ),
  })
  .describe('Synonyms for searches.')

/** Criteria on catalog data. Annotations are private, so they cannot boost products for all. */
const RULE_CRITERIA = [
  'manufacturer',
  'vendor',
  'segment',
  'category',
  'subCategory',
  'unspsc',
  'partNumber',
  'attribute',
  'facet',
] as const

const criterion = {
  type: z.enum(RULE_CRITERIA).describe('Type of the criterion, as in `must` of Search.'),
  name: z
    .string()
    .max(limits.nameLength)
    .nullable()
    .default(null)
    .describe('Name of the `facet` or `attribute`. Not needed for other types.'),
  value: RequiredExact(limits.valueLength).describe('Exact value.'),
}
const RuleCriterion = z.object(criterion)

const ProductId = RequiredExact(limits.idLength)
const Moment = z.iso.datetime({ offset: true }).nullable().default(null)

const SearchRule = z.object({
  name: RequiredText(limits.nameLength).describe('Name of the rule, unique in the catalog.'),
  enabled: z
    .boolean()
    .default(true)
    .describe('Whether the rule applies. Disabled rules are kept without effect.'),
  when: z
    .object({
      query: z
        .string()
        .trim()
        .max(limits.phraseLength)
        .describe(
          'Words to compare with the keywords, ignoring case, accents and English plurals.',
        ),
      match: z
        .enum(['exact', 'contains'])
        .default('exact')
        .describe(
          '`exact` requires the keywords to be these words, or to be empty if `query` is empty. `contains` requires the words to occur together in the keywords, or matches every search if `query` is empty.',
        ),
      filters: listOf(RuleCriterion, limits.ruleCriteria).describe(
        'Criteria that the search must be filtered by, in its own fields or `must`. A category can also be part of a `categoryPath`. Those with the same type and name are alternatives.',
      ),
    })
    .describe('Conditions under which the rule applies to a search.'),
  from: Moment.describe('Time from which the rule applies. `null` means immediately.'),
  until: Moment.describe('Time until which the rule applies. `null` means indefinitely.'),
  pins: listOf(
    z.object({
      product: ProductId.describe('Id of the product. Unknown products are skipped.'),
      position: z
        .int()
        .min(1)
        .max(limits.pinPosition)
        .describe('Position in the results, starting at 1.'),
    }),
    limits.ruleProducts,
  ).describe(
    'Products with a fixed position in the sort order `relevance`. They are found whatever the keywords are.',
  ),
  boosts: listOf(
    z.object({
      ...criterion,
      weight: z
        .number()
        .min(-100)
        .max(100)
        .describe(
          'Weight of the boost. Positive values rank products higher and negative ones lower. 2 is worth about one matching word in the name. 100 outranks all matching words.',
        ),
    }),
    limits.ruleCriteria,
  ).describe(
    'Criteria that rank products higher or lower in the sort order `relevance`, without excluding any.',
  ),
  hides: z
    .object({
      products: listOf(ProductId, limits.ruleProducts).describe('Ids of products to exclude.'),
      criteria: listOf(RuleCriterion, limits.ruleCriteria).describe(
        'Criteria for products to exclude. A product that meets any of them is excluded.',
      ),
    })
    .prefault({})
    .describe('Products to exclude from the results.'),
  filters: listOf(RuleCriterion, limits.ruleCriteria).describe(
    'Criteria that products must meet. Those with the same type and name are alternatives.',
  ),
  redirect: z
    .string()
    .trim()
    .max(limits.redirectLength)
    .nullable()
    .default(null)
    .describe(
      'Address to which a page redirects instead: an http or https URL, or a path that starts with /.',
    ),
})
export type SearchRule = z.output<typeof SearchRule>

export const SearchRules = z
  .array(SearchRule)
  .max(limits.searchRules)
  .describe(
    `Up to ${limits.searchRules} rules, most important first. The first ${limits.appliedRules} that match apply to a search.`,
  )

const Weight = (what: string, as = 1) =>
  z
    .number()
    .min(0)
    .max(5)
    .default(as)
    .describe(`${what}. 1 is the normal weight, 2 doubles it, and 0 disables it.`)

const NumberSignal = z.object({
  name: RequiredExact(limits.nameLength).describe(
    'Name of the numeric attribute, as in `filters` of products.',
  ),
  weight: Weight('Weight of the number'),
  best: z
    .number()
    .positive()
    .max(1e12)
    .describe(
      'Number from which a product gets the full weight. Lower numbers get correspondingly less.',
    ),
})

export const RankingSettings = z
  .object({
    fields: z
      .object({
        name: Weight('Weight of words in the name'),
        text: Weight('Weight of words in attributes, facets, categories and the manufacturer'),
        description: Weight('Weight of words in the description'),
        partNumbers: Weight('Weight of part numbers'),
        type: Weight(
          'Weight of products that are what was searched for, over products that are for it',
        ),
        manufacturer: Weight('Weight of a manufacturer that is named in the search'),
      })
      .prefault({})
      .describe('Weights of words by where they are found. With 0, the place is not searched.'),
    stopPhrases: listOf(Phrase, limits.stopPhrases).describe(
      'Phrases to ignore in the keywords, unless they are all that was typed.',
    ),
    signals: z
      .object({
        inStock: Weight('Weight of being in stock, among otherwise equal products'),
        notDiscontinued: Weight(
          'Weight of not being discontinued. Products that vendors or attributes call discontinued, and that nobody has in stock, rank lower',
        ),
        newest: Weight('Weight of recent changes', 0),
        numbers: listOf(NumberSignal, limits.numberSignals).describe(
          'Numeric attributes that rank products higher, such as units sold or a margin.',
        ),
        popularity: Weight('Weight of recent choices and additions to workspaces'),
        withoutKeywords: z
          .boolean()
          .default(false)
          .describe(
            'Whether these signals also rank searches without keywords, which are otherwise sorted by name.',
          ),
      })
      .prefault({})
      .describe('Signals that rank products with equally good matches.'),
  })
  .describe('How search results are ranked.')
export type RankingSettings = z.output<typeof RankingSettings>
/** Weights of fields: 1 by default, 0 to ignore a field. */
export type FieldWeights = Readonly<RankingSettings['fields']>

const FacetNames = listOf(RequiredExact(limits.nameLength), limits.tunedFacets)

export const FacetSettings = z
  .object({
    order: FacetNames.describe('Names of the facets to list first, in this order.'),
    hidden: FacetNames.describe('Names of the facets to hide.'),
    shown: z
      .int()
      .min(0)
      .max(limits.facetNames)
      .nullable()
      .default(null)
      .describe('Maximum number of facets to list. `null` means all.'),
  })
  .describe('Which facets are listed, and in which order.')
export type FacetSettings = z.output<typeof FacetSettings>
