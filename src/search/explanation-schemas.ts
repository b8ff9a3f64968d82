import { z } from 'zod'
import { NullableNumber, NullableText, OmittableText } from '../shapes.ts'
import { LOCATION_FIELDS, MATCH_KINDS } from './match-locations.ts'

const Part = z.object({
  kind: z
    .enum(['word', 'words', 'signal', 'boost', 'rule'])
    .describe(
      'Kind of reason: `word` (a search word), `words` (the number of words found, if not all were required), `signal` (a property of the product), `boost` (a criterion in `boost`) or `rule` (a search rule of the catalog).',
    ),
  name: z
    .string()
    .describe(
      'The word, `found`, the signal (`type`, `brand`, `number`, `value`, `inStock`, `notDiscontinued`, `newest`, `brevity`, `favorite`, `popularity`, `wholeNumber`, `wholeName`, `nameBegins`), the index of the boost (starting at 0) or the name of the rule.',
    ),
  of: OmittableText.describe(
    'The word or number that the signal refers to, or the value that the rule boosts. Omitted if there is none.',
  ),
  score: z.number().describe('Amount added to the score.'),
})
/** One reason for a score; the parts of a score add up to it. */
export type ScorePart = z.output<typeof Part>

const Match = z.object({
  text: z.string().describe('Text that was searched: the word, or an alternative to it.'),
  how: z
    .enum(MATCH_KINDS)
    .describe(
      'How the text was found: as typed, in another form, inside a longer word, as a measure, compound, synonym or corrected spelling, as the beginning of a word, or as a part number (whole, from its beginning or inside it).',
    ),
  field: z
    .enum(LOCATION_FIELDS)
    .describe(
      'Field in which the text was found. `text` stands for other fields, which are not distinguished.',
    ),
  name: OmittableText.describe('Name of the attribute, facet or filter. Omitted for other fields.'),
  score: z.number().describe('Score of this match by itself.'),
})

export const Explanation = z
  .object({
    score: NullableNumber.describe(
      'Score of the product. `null` if the sort order does not use scores.',
    ),
    parts: z.array(Part).describe('Parts that add up to the score, highest first.'),
    words: z
      .array(
        z.object({
          word: z.string().describe('The word as it was typed.'),
          matches: z
            .array(Match)
            .describe(
              'Matches, best first. The best one counts in full and the others slightly. Empty if the product does not contain the word.',
            ),
        }),
      )
      .describe('Where each word was found.'),
    price: z
      .object({
        amount: z.number().describe('Amount of the price.'),
        vendorName: NullableText.describe(
          'Name of the vendor. `null` if the price is the `msrp` or from a price list.',
        ),
        vendorPartNumber: NullableText.describe(
          'Part number of the vendor. `null` if there is none.',
        ),
        inStock: z
          .boolean()
          .describe(
            'Whether the vendor or, for a price from a price list, any vendor has the product in stock.',
          ),
      })
      .nullable()
      .describe(
        'Price by which `price` sorts: that of the cheapest offer that meets the request, or of the price list. `null` if the product has no price.',
      ),
    aboveNext: z
      .object({
        by: z
          .enum(['score', 'price', 'name', 'updated', 'id', 'pin'])
          .describe(
            'First sort key in which the two products differ. `pin` means that a rule pins one of them.',
          ),
        parts: z
          .array(Part)
          .describe('Differences between the parts of its score and those of the next product.'),
      })
      .nullable()
      .describe(
        'Why the product is ranked above the next one. `null` for the last product of a page.',
      ),
  })
  .describe(
    'Why the product was found and why it is ranked where it is. Omitted unless `explain` is `true`.',
  )
export type Explanation = z.output<typeof Explanation>

export const ExplainedReading = z
  .object({
    mode: z
      .enum(['allWords', 'fewerWords'])
      .describe(
        '`fewerWords` means that no product contains all words, so products with fewer or corrected words were returned.',
      ),
    words: z
      .array(
        z.object({
          word: z.string().describe('The word as it was typed.'),
          isType: z
            .boolean()
            .describe(
              'Whether the word names a type of product. Products of that type are ranked first.',
            ),
          alternatives: z
            .array(
              z.object({
                text: z.string().describe('Text that was also searched.'),
                kind: z
                  .enum(['compound', 'synonym', 'spelling'])
                  .describe('Why the text is an alternative.'),
              }),
            )
            .describe('Alternatives to the word, or to the word and its neighbors.'),
        }),
      )
      .describe('The words searched for.'),
    optional: z.array(z.string()).describe('Words that products need not contain, such as `for`.'),
    excluded: z.array(z.string()).describe('Words that products must not contain.'),
  })
  .nullable()
  .describe(
    'How the keywords were interpreted. `null` if there are none. Omitted unless `explain` is `true`.',
  )
export type ExplainedReading = z.output<typeof ExplainedReading>
