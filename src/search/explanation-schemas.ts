import { z } from 'zod'
import { FOUND_AS, FOUND_FIELDS } from './found-in.ts'

const Part = z.object({
  kind: z
    .enum(['word', 'words', 'signal', 'boost', 'rule'])
    .describe(
      '`word`: one of the words; `words`: how many of them, where fewer were looked for; `signal`: a lift for what the product is; `boost`: one of the criteria of `boost`; `rule`: a rule of the catalog that lifts it.',
    ),
  name: z
    .string()
    .describe(
      'The word; `found`; the signal (`type`, `brand`, `value`, `inStock`, `brevity`, `favorite`, `popularity`); the place of the boost, from 0; the name of the rule.',
    ),
  of: z
    .string()
    .optional()
    .describe(
      'The word or the number that a signal is about, the value that a rule lifts; absent without one.',
    ),
  score: z.number().describe('What it adds.'),
})
/** One reason for a score; the parts of a score add up to it. */
export type ScorePart = z.output<typeof Part>

const Match = z.object({
  text: z.string().describe('What was looked for: the word, or what may stand for it.'),
  how: z
    .enum(FOUND_AS)
    .describe(
      'As it was typed, in another form, inside a longer word, as a number with its unit, as a compound, synonym or corrected spelling, as the beginning of a word, or as a part number: whole, its beginning, inside it.',
    ),
  field: z
    .enum(FOUND_FIELDS)
    .describe('Where; `text` is one of the other values, which are not told apart.'),
  name: z.string().optional().describe('Which attribute, facet or filter; absent elsewhere.'),
  score: z.number().describe('What the match is worth by itself.'),
})

export const Explanation = z
  .object({
    score: z.number().nullable().describe('null in an order that goes by no score.'),
    parts: z.array(Part).describe('What adds up to the score, the most first.'),
    words: z
      .array(
        z.object({
          word: z.string().describe('As it was typed.'),
          matches: z
            .array(Match)
            .describe(
              'The best first: it counts, and a little of the others. Empty: the product does not have the word.',
            ),
        }),
      )
      .describe('Where each word was found.'),
    price: z
      .object({
        amount: z.number().describe('The price.'),
        vendorName: z.string().nullable().describe('null: the msrp of a product without offers.'),
        vendorPartNumber: z.string().nullable().describe('null: the offer has none.'),
        inStock: z.boolean().describe('Whether the vendor has it.'),
      })
      .nullable()
      .describe(
        'The cheapest offer that fits the request, by which `price` sorts; null without a price.',
      ),
    aboveNext: z
      .object({
        by: z
          .enum(['score', 'price', 'name', 'updated', 'id', 'pin'])
          .describe(
            'The first key of the order in which both differ; `pin`: a rule pins one of them.',
          ),
        parts: z.array(Part).describe('What its score has more than the next one, or less.'),
      })
      .nullable()
      .describe('Why it stands above the next; null of the last of a page.'),
  })
  .describe('Why it is found, and stands where it does; absent unless asked for.')
export type Explanation = z.output<typeof Explanation>

export const Reading = z
  .object({
    mode: z
      .enum(['allWords', 'fewerWords'])
      .describe('`fewerWords`: no product has all words, so fewer and misspelt ones were found.'),
    words: z
      .array(
        z.object({
          word: z.string().describe('As it was typed.'),
          isType: z.boolean().describe('It names the product; what is of this type comes first.'),
          alternatives: z
            .array(
              z.object({
                text: z.string().describe('What was looked for as well.'),
                kind: z
                  .enum(['compound', 'synonym', 'spelling'])
                  .describe('Why it may stand for the word.'),
              }),
            )
            .describe('What may stand for it, or for it and its neighbours.'),
        }),
      )
      .describe('The words that are wanted.'),
    optional: z.array(z.string()).describe('Words that a product need not have: `for`.'),
    excluded: z.array(z.string()).describe('Words that it must not have.'),
  })
  .nullable()
  .describe('How the words were read; null without words, absent unless `explain` asked for it.')
export type ExplainedReading = z.output<typeof Reading>
