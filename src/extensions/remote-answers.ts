import { z } from 'zod'
import { limits } from '../limits.ts'
import { Flag } from '../shapes.ts'
import type { ExtensionCall, ExtensionKind, Sample, Validation } from './contract.ts'
import { Link } from './link.ts'
import type {
  ExtensionLinksResponse,
  ExtensionOptionsResponse,
  ExtensionRunResponse,
  PossibleMatchesResponse,
  RealtimeResponse,
  RecommendationResponse,
} from './wire.ts'

/*
 * The answers of remote extensions: the shapes of wire.ts, in which a remote may leave out what is
 * null or empty. What else it sends is dropped.
 */

const text = z.string().max(limits.fieldValueLength)
const optional = text.nullish().transform((value) => value || null)
const amount = z
  .number()
  .nullish()
  .transform((value) => value ?? null)
const time = z.iso
  .datetime({ offset: true })
  .nullish()
  .transform((value) => value ?? null)
const list = <S extends z.ZodType>(item: S) =>
  z
    .array(item)
    .nullish()
    .transform((items) => items ?? [])

/** An answer with an `error` is no success, whatever else it says. */
const outcome = {
  error: optional.transform((error) => error?.slice(0, limits.valueLength) ?? null),
  success: z.boolean().nullish(),
}
const settled = <T extends { error: string | null; success?: boolean | null | undefined }>(
  answer: T,
) => ({ ...answer, success: answer.error === null && (answer.success ?? true) })

const RealtimeAnswer = z
  .object({
    ...outcome,
    items: list(
      z.object({
        vendorPartNumber: optional,
        manufacturerPartNumber: optional,
        description: optional,
        error: optional,
        status: optional,
        active: Flag(true),
        onHand: amount,
        cost: amount,
        inStockDate: time,
        warehouses: list(z.object({ warehouse: text, onHand: amount, inStockDate: time })),
      }),
    ),
  })
  .transform(settled) satisfies z.ZodType<RealtimeResponse>

const Match = z.object({
  productId: text,
  scorer: text,
  source: optional,
  matchedTo: optional,
  qty: optional,
  mfp: optional,
  name: optional,
  matchGroup: optional,
  score: z.number(),
})

const RecommendationAnswer = z
  .object({
    ...outcome,
    products: list(text),
    matchedProducts: list(Match),
    possibleProducts: list(Match),
  })
  .transform(settled) satisfies z.ZodType<RecommendationResponse>

/** What another system calls a product: as long as a link may be. */
const externalId = z
  .string()
  .trim()
  .max(limits.idLength)
  .nullish()
  .transform((id) => id || null)

const RunAnswer = z
  .object({
    ...outcome,
    redirectUrl: Link,
    messageHeader: optional,
    message: optional,
    products: list(z.object({ id: text, catalog: text, externalId })),
  })
  .transform(settled) satisfies z.ZodType<ExtensionRunResponse>

const LinksAnswer = z.object({
  links: list(
    z.object({
      type: text,
      acId: text,
      acCatalog: text,
      externalId: text,
      link: Link,
      user: optional,
    }),
  ),
}) satisfies z.ZodType<ExtensionLinksResponse>

const MatchesAnswer = z
  .object({
    ...outcome,
    products: list(
      z.object({
        acId: text,
        id: text,
        mfp: optional,
        name: optional,
        score: z.number().optional(),
        reason: text.optional(),
      }),
    ),
  })
  .transform(settled) satisfies z.ZodType<PossibleMatchesResponse>

const OptionsAnswer = z
  .object({
    ...outcome,
    options: list(z.object({ value: text, display: text, default: Flag(false) })),
  })
  .transform(settled) satisfies z.ZodType<ExtensionOptionsResponse>

const count = z.number().int().min(0)
const ValidateAnswer = z
  .object({
    problems: list(
      z.object({
        field: z.string().max(limits.nameLength),
        message: z.string().max(limits.valueLength),
      }),
    ),
    preview: z
      .object({
        created: count,
        updated: count,
        unchanged: count,
        rejected: count,
        rejects: list(z.object({ line: count, reason: z.string().max(limits.valueLength) })),
      })
      .nullish(),
  })
  .transform(({ problems, preview }) =>
    preview ? { problems, preview } : { problems },
  ) satisfies z.ZodType<Validation>

/** A heading and its first values. */
const SAMPLE_ROWS = 101

const SampleAnswer = z
  .object({
    columns: z.array(z.array(text).max(SAMPLE_ROWS)).max(limits.importColumns),
    mappings: list(
      z.object({
        column: count,
        field: text,
        attribute: optional,
        confidence: z.number().min(0).max(1),
      }),
    ),
    detected: z
      .object({
        encoding: optional,
        delimiter: optional,
        quoteChar: optional,
        header: Flag(true),
        decimal: optional,
      })
      .nullish()
      .transform((detected) => detected ?? null),
  })
  .refine(({ columns, mappings }) => mappings.every(({ column }) => column < columns.length), {
    path: ['mappings'],
    message: 'a column that there is not',
  }) satisfies z.ZodType<Sample>

export const answers = {
  validate: ValidateAnswer,
  sample: SampleAnswer,
  options: OptionsAnswer,
  links: LinksAnswer,
  possibleMatches: MatchesAnswer,
  realtime: RealtimeAnswer,
  recommendation: RecommendationAnswer,
  export: RunAnswer,
  import: z.record(z.string(), z.unknown()),
} satisfies Record<Exclude<ExtensionCall, 'run'> | ExtensionKind, z.ZodType>

/** Answers that have no place for an `error`: one that has it tells of a failure. */
const WITHOUT_ERROR: ReadonlySet<z.ZodType> = new Set<z.ZodType>([
  answers.validate,
  answers.sample,
  answers.links,
  answers.import,
])
const Failing = z.object({ error: z.string().trim().min(1) })

/** The failure that such an answer tells of, in the extension's words; else undefined. */
export function failureIn(answer: z.ZodType, value: unknown): string | undefined {
  if (!WITHOUT_ERROR.has(answer)) return undefined
  return Failing.safeParse(value).data?.error.slice(0, limits.valueLength)
}
