import { z } from 'zod'
import { limits } from '../../limits.ts'
import { isWord } from '../../products/criteria.ts'

const hasFewWords = (text: string): boolean => text.split(/\s+/).length <= limits.phraseWords

/** One or more words. */
const Phrase = z
  .string()
  .trim()
  .min(1)
  .max(limits.phraseLength)
  .refine(isWord, 'expected a letter or a digit')
  .refine(hasFewWords, `has more than ${limits.phraseWords} words`)

const Phrases = z
  .array(Phrase)
  .max(
    limits.synonymGroupWords,
    `at most ${limits.synonymGroupWords} words: make several groups of what is alike`,
  )
  .default([])

const SynonymGroup = z.object({
  words: Phrases.describe('Each stands for each other; instead of `from` and `to`.'),
  from: Phrases.describe('What is typed. It finds `to`, too, and not the other way round.'),
  to: Phrases.describe('What `from` also finds.'),
})

export const SynonymSettings = z
  .object({
    starter: z
      .boolean()
      .default(true)
      .describe('false: English and German words that come with Aisle are no synonyms here.'),
    groups: z
      .array(SynonymGroup)
      .max(limits.synonymGroups)
      .default([])
      .describe(`Up to ${limits.synonymGroups} groups. They are not chained.`),
  })
  .describe('What words may also be called.')

/** Criteria of catalog data: what people noted is nobody's reason to lift a product for everybody. */
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
  type: z.enum(RULE_CRITERIA).describe('What is looked at, as in `must` of Search.'),
  name: z
    .string()
    .max(limits.nameLength)
    .nullable()
    .default(null)
    .describe('Which `facet` or `attribute`; other types need none.'),
  value: z.string().min(1).max(limits.valueLength).describe('Matched exactly.'),
}
const RuleCriterion = z.object(criterion)

const ProductId = z.string().min(1).max(limits.idLength)
const listOf = <S extends z.ZodType>(entry: S, most: number) => z.array(entry).max(most).default([])
const Moment = z.iso.datetime({ offset: true }).nullable().default(null)

const SearchRule = z.object({
  name: z.string().trim().min(1).max(limits.nameLength).describe('Unique in the catalog.'),
  enabled: z.boolean().default(true).describe('false: it is kept and never applies.'),
  when: z
    .object({
      query: z
        .string()
        .trim()
        .max(limits.phraseLength)
        .describe('Words; case, accents and English plurals do not matter.'),
      match: z
        .enum(['exact', 'contains'])
        .default('exact')
        .describe(
          '`exact`: the keywords are these words, and none where it is empty. `contains`: these words stand together in the keywords; where it is empty every search does.',
        ),
      filters: listOf(RuleCriterion, limits.ruleCriteria).describe(
        'What the search is narrowed to by its own fields and `must`, a category as well as by its path: all must be among it, of several of one type and name one.',
      ),
    })
    .describe('The searches that it applies to.'),
  from: Moment.describe('When it begins; null: at once.'),
  until: Moment.describe('When it is over; null: never.'),
  pins: listOf(
    z.object({
      product: ProductId.describe('Id of the product. One that is not there is passed over.'),
      position: z.int().min(1).max(limits.pinPosition).describe('Place in the order, from 1.'),
    }),
    limits.ruleProducts,
  ).describe('Products with a fixed place in the order `relevance`, which are found in any case.'),
  boosts: listOf(
    z.object({
      ...criterion,
      weight: z
        .number()
        .min(-100)
        .max(100)
        .describe(
          'Positive lifts, negative lowers. 2 is about as much as a word in the name; 100 stands above whatever words match.',
        ),
    }),
    limits.ruleCriteria,
  ).describe('Lift and lower in the order `relevance`; leave nothing out.'),
  hides: z
    .object({
      products: listOf(ProductId, limits.ruleProducts).describe('Ids of products.'),
      criteria: listOf(RuleCriterion, limits.ruleCriteria).describe('What has one of these.'),
    })
    .prefault({})
    .describe('Products that are not found.'),
  filters: listOf(RuleCriterion, limits.ruleCriteria).describe(
    'All must hold; several of one type and name are alternatives.',
  ),
  redirect: z
    .string()
    .trim()
    .max(limits.redirectLength)
    .nullable()
    .default(null)
    .describe(
      'An http or https address, or a path that begins with /, that a page goes to instead.',
    ),
})
export type SearchRule = z.output<typeof SearchRule>

export const SearchRules = z
  .array(SearchRule)
  .max(limits.searchRules)
  .describe(
    `Up to ${limits.searchRules}, the most important first; to one search the first ${limits.appliedRules} that fit apply.`,
  )

const Weight = (what: string, as = 1) =>
  z
    .number()
    .min(0)
    .max(5)
    .default(as)
    .describe(`${what}; 1 as it comes, 2 twice as much, 0 not at all.`)

const NumberSignal = z.object({
  name: z.string().min(1).max(limits.nameLength).describe('Of the `filters` of products.'),
  weight: Weight('What the number counts'),
  best: z
    .number()
    .positive()
    .max(1e12)
    .describe(
      'With this number and more a product is lifted by all of the weight, with less by less.',
    ),
})

export const RankingSettings = z
  .object({
    fields: z
      .object({
        name: Weight('Words of the name'),
        text: Weight('Words of attributes, facets, categories and the manufacturer'),
        description: Weight('Words of the description'),
        partNumbers: Weight('Numbers of the product'),
        type: Weight('What the product is, above what is for it'),
        manufacturer: Weight('The manufacturer that is named'),
      })
      .prefault({})
      .describe('What a word counts, by where it is found; 0: it is not looked for there.'),
    stopPhrases: listOf(Phrase, limits.stopPhrases).describe(
      'Left out of the keywords, unless nothing else is typed.',
    ),
    signals: z
      .object({
        inStock: Weight('What somebody has in stock comes first among equals'),
        notDiscontinued: Weight(
          'What its vendors, or its attributes, call discontinued, and nobody has, comes last',
        ),
        newest: Weight('What was changed of late comes first', 0),
        numbers: listOf(NumberSignal, limits.numberSignals).describe(
          'Numbers of products that make them come first: pieces sold, a margin.',
        ),
        popularity: Weight('What was chosen and put into workspaces lately comes first'),
        withoutKeywords: z
          .boolean()
          .default(false)
          .describe(
            'true: searches without keywords are ordered by these signals instead of by name.',
          ),
      })
      .prefault({})
      .describe('What orders products whose words match alike.'),
  })
  .describe('What makes a product come first.')

const FacetNames = listOf(z.string().min(1).max(limits.nameLength), limits.tunedFacets)

export const FacetSettings = z
  .object({
    order: FacetNames.describe('Names of facets that come first, in this order.'),
    hidden: FacetNames.describe('Names of facets that are not shown.'),
    shown: z
      .int()
      .min(0)
      .max(limits.facetNames)
      .nullable()
      .default(null)
      .describe('How many are shown; null: as many as there are.'),
  })
  .describe('Which facets are shown, and in which order.')
