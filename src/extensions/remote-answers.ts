import { z } from 'zod'
import { limits } from '../limits.ts'
import { Exact, Flag, OrNull, UtcTime } from '../shapes.ts'
import type { ExtensionCall, ExtensionKind, Sample, Validation } from './contract.ts'
import { Link } from './link.ts'
import type {
  ExtensionOptionsResponse,
  PossibleMatchesResponse,
  RecommendationResponse,
} from './schemas.ts'

/*
 * The answers of remote extensions, in the shapes of schemas.ts. Null or empty fields may be left
 * out, and unknown fields are dropped.
 */

export const text = z.string().max(limits.fieldValueLength)
export const optional = Exact(limits.fieldValueLength)
export const time = OrNull(UtcTime)
/** A list, which is refused before its items are parsed if it is too long. */
export const list = <S extends z.ZodType>(item: S) =>
  z
    .array(item)
    .max(limits.remoteEntries, `has more than ${limits.remoteEntries} entries`)
    .nullish()
    .transform((items) => items ?? [])

const UNTOLD = 'It reported a failure without a reason.'

/** An answer with an `error` is a failure, and a failed answer always has an `error`. */
const outcome = {
  error: optional.transform((error) => error?.slice(0, limits.valueLength) ?? null),
  success: z.boolean().nullish(),
}
const settled = <T extends { error: string | null; success?: boolean | null | undefined }>(
  answer: T,
) => {
  const error = answer.error ?? (answer.success === false ? UNTOLD : null)
  return { ...answer, error, success: error === null }
}

/** Its items are parsed by `realtimeResponse`. */
const RealtimeAnswer = z
  .object({
    ...outcome,
    items: list(z.unknown()),
  })
  .transform(settled)

const Match = z.object({
  productId: text,
  scorer: text.nullish().transform((scorer) => scorer ?? ''),
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

/** An external product id, limited in length like a link. */
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
    /** Products without a catalog belong to the catalog of the request. */
    products: list(z.object({ id: text, catalog: optional, externalId })),
  })
  .transform(settled)

const LinksAnswer = z.object({
  links: list(
    z.object({
      type: optional,
      acId: text,
      acCatalog: optional,
      externalId: text,
      link: Link,
      user: optional,
    }),
  ),
})

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
    options: list(
      z
        .object({ value: text, display: optional, default: Flag(false) })
        .transform((one) => ({ ...one, display: one.display ?? one.value })),
    ),
  })
  .transform(settled) satisfies z.ZodType<ExtensionOptionsResponse>

const count = z.number().int().min(0)
const ValidateAnswer = z
  .object({
    problems: list(
      z.object({
        field: z
          .string()
          .max(limits.nameLength)
          .nullish()
          .transform((field) => field ?? ''),
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
    detected: OrNull(
      z.object({
        encoding: optional,
        delimiter: optional,
        quoteChar: optional,
        header: Flag(true),
        decimal: optional,
      }),
    ),
  })
  .refine(({ columns, mappings }) => mappings.every(({ column }) => column < columns.length), {
    path: ['mappings'],
    message: 'the file has no such column',
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

/**
 * The part of an answer that fails as a whole: all but the items about stock and price, each of
 * which is checked by itself.
 */
export const withoutItems = (answer: z.ZodType, parsed: unknown): unknown =>
  answer === answers.realtime ? { ...(parsed as object), items: [] } : parsed

/** Answers without an `error` field, which report a failure if they have one anyway. */
const WITHOUT_ERROR: ReadonlySet<z.ZodType> = new Set<z.ZodType>([
  answers.validate,
  answers.sample,
  answers.links,
  answers.import,
])
const Failing = z.object({ error: z.string().trim().min(1) })
const Failed = z.object({ success: z.literal(false) })

/** The failure reported by such an answer, in the extension's words; else undefined. */
export function failureIn(answer: z.ZodType, value: unknown): string | undefined {
  if (!WITHOUT_ERROR.has(answer)) return undefined
  const error = Failing.safeParse(value).data?.error.slice(0, limits.valueLength)
  return error ?? (Failed.safeParse(value).success ? 'no reason given.' : undefined)
}
