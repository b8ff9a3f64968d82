import { z } from 'zod'
import { Invalid } from './errors.ts'
import { limits } from './limits.ts'
import { allowIgnoredFields } from './platform/known-fields.ts'
import { isHostTooLong } from './platform/parse-url.ts'

/** Fields of answers that may be null, or left out. */
export const NullableText = z.string().nullable()
export const NullableNumber = z.number().nullable()
export const OmittableText = z.string().optional()

/** true or false in a body; what absent and null mean is for the operation. */
export const NullishBoolean = z.boolean().nullish()

/** ActionResponse 1.0. `id` and `taskId` are null when there is none. */
export const ActionResponse = z
  .object({
    success: z.boolean(),
    message: z.string().describe('What was done, or what is wrong and where.'),
    id: NullableText.describe(
      'Id of the object that was created or changed. `null` if it has none.',
    ),
    taskId: NullableText.describe(
      'Id of the task that continues the action, for use with Get Task. `null` if there is none.',
    ),
  })
  .meta({ id: 'ActionResponse', description: 'The result of an action.' })
export type ActionResponse = z.infer<typeof ActionResponse>

/** The response to a successful action. */
export function done(message: string, ids: { id?: string; taskId?: string } = {}): ActionResponse {
  return { success: true, message, id: ids.id ?? null, taskId: ids.taskId ?? null }
}

/** The response to an action that failed. */
export const failed = (message: string): ActionResponse => ({ ...done(message), success: false })

/** A text that may be parsed as a URL, which takes long for one with a long host. */
export const UrlText = z
  .string()
  .max(limits.valueLength, { abort: true })
  .refine((text) => !isHostTooLong(text), { error: 'the host name is too long', abort: true })

/** An id or name that travels in a path: `.` and `..` would vanish from it. */
export const PathText = z
  .string()
  .min(1)
  .refine((text) => text !== '.' && text !== '..', 'must not be . or ..')

export const Id = PathText.max(limits.idLength)
export const Name = PathText.max(limits.nameLength)

/** A catalog's name: one line that travels in paths, so it has no slash. */
export const CatalogName = PathText.max(limits.catalogNameLength)
  .regex(/^[^/]*$/, 'must not contain /')
  .regex(/^\P{Cc}*$/u, 'must not contain control characters')
  .describe('Name of a catalog.')

/** The name of a catalog that a change leaves when absent and clears when null or empty. */
export const PatchCatalogName = z
  .union([CatalogName, z.literal('')])
  .nullish()
  .transform((name) => (name === undefined ? undefined : name || null))

/** `?catalog=`: absent and empty mean the default catalog, as openCatalog takes them. */
export const CatalogQuery = z.object({
  catalog: CatalogName.or(z.literal(''))
    .optional()
    .describe("Name of a catalog. Defaults to the organization's default catalog, also if empty."),
})

/** For addresses that pages and probes request with extra parameters, to bypass caches. */
export const AnyQuery = allowIgnoredFields(z.object({}), 'any')

/** A text that must not be empty, also not after it is trimmed. */
export const RequiredText = (max: number) => z.string().trim().min(1).max(max)

/** A text that must not be empty and is taken as it is. */
export const RequiredExact = (max: number) => z.string().min(1).max(max)

/** An optional text. Absent, null and empty all mean null. */
export const OptionalText = (max: number) =>
  z
    .string()
    .max(max)
    .nullish()
    .transform((text) => text?.trim() || null)

/** A text that a change leaves when absent and clears when null or empty. */
export const PatchText = (max: number) =>
  z
    .string()
    .max(max)
    .nullish()
    .transform((text) => (text === undefined ? undefined : text?.trim() || null))

/** A text that is taken as it is: not trimmed, and null if empty. */
export const Exact = (max: number) =>
  z
    .string()
    .max(max)
    .nullish()
    .transform((text) => text || null)

/** A list that is empty when absent. */
export const ListOf = <S extends z.ZodType>(entry: S, most: number) =>
  z
    .array(entry)
    .max(most)
    .nullish()
    .transform((list) => list ?? [])

/** Values by name. Refused before any entry is parsed if there are more than `most`. */
export const RecordOf = <S extends z.ZodType>(
  [name, value]: readonly [name: z.ZodString, value: S],
  most: number,
) =>
  z.preprocess(
    (given, ctx) => {
      if (typeof given !== 'object' || given === null || Object.keys(given).length <= most) {
        return given
      }
      ctx.addIssue({ code: 'custom', message: `more than ${most} names` })
      return z.NEVER
    },
    z.record(name, value),
  )

/** A list of exact texts, without empty ones. */
export const Exacts = (max: number, most: number) =>
  ListOf(z.string().max(max).nullable(), most).transform(
    (list) => list.filter((text) => text !== null && text !== '') as string[],
  )

/** One of these words; absent, null and empty mean `absent`. */
export const OneOf = <const W extends string, const A extends W | null>(
  words: readonly W[],
  absent: A,
) =>
  z
    .enum([...words, ''])
    .nullish()
    .transform((word) => (word || absent) as W | A)

/** Absent and null mean null. */
export const OrNull = <S extends z.ZodType>(schema: S) =>
  schema.nullish().transform((value) => value ?? null)

/** Absent and null mean undefined. */
export const OrUndefined = <S extends z.ZodType>(schema: S) =>
  schema.nullish().transform((value) => value ?? undefined)

export const OptionalNumber = OrNull(z.number())

/**
 * Whether a year has four digits in UTC. Passes what is no time at all, which is refused as such.
 */
const isWritable = (time: string): boolean =>
  !Number.isFinite(Date.parse(time)) || /^\d{4}-/.test(new Date(time).toISOString())

/** A time in any zone, converted to UTC as answers have it. */
export const UtcTime = z.iso
  .datetime({ offset: true })
  .refine(isWritable, 'the year must have four digits in UTC')
  .transform((time) => (time.endsWith('Z') ? time : new Date(time).toISOString()))

const DAY_MS = 24 * 60 * 60 * 1000

/** A time, or a day in UTC: its first millisecond as a lower bound, its last as an upper one. */
export const TimeOrDay = (end: 'first' | 'last') =>
  z
    .union([z.iso.datetime({ offset: true }), z.iso.date(), z.literal('')])
    .optional()
    .transform((text) => {
      if (!text) return null
      const isDay = !text.includes('T')
      return Date.parse(text) + (isDay && end === 'last' ? DAY_MS - 1 : 0)
    })
    .describe('A time or a day in UTC, inclusive.')

/** true or false in a body; absent and null mean `absent`. */
export const Flag = (absent: boolean) => NullishBoolean.transform((value) => value ?? absent)

/** true or false in a query; absent and empty mean `absent`. */
export const QueryFlag = (absent: boolean) =>
  z
    .enum(['true', 'false', ''])
    .optional()
    .transform((text) => (text ? text === 'true' : absent))

/** A whole number in a query, up to `most`; absent, empty and 0 mean `absent`. */
export const QueryCount = <const A extends number | undefined>(most: number, absent: A) =>
  z.coerce
    .number()
    .int()
    .min(0)
    .max(most)
    .default(0)
    .transform((given) => given || absent)

/** Paging of lists: pageSize absent, null or 0 means the default, `size`. */
export const pagingBy = (size: number) =>
  z.object({
    page: z.coerce.number().int().min(0).default(0).describe('Page number, starting at 0.'),
    pageSize: QueryCount(limits.pageSize, size).describe(
      `Number of entries per page. Defaults to ${size}, also if 0.`,
    ),
  })

export const Paging = pagingBy(limits.defaultPageSize)
export type Paging = z.output<typeof Paging>

/** Throws Invalid for a page beyond the last entry that is listed. */
export function checkWindow({ page, pageSize }: Paging, entries: string): void {
  if ((page + 1) * pageSize <= limits.resultWindow) return
  throw new Invalid(`page: the list has only the newest ${limits.resultWindow} ${entries}`)
}

/** Gives fields the descriptions of the fields with the same names in another shape. */
export function withDescriptionsOf<S extends Readonly<Record<string, z.ZodType>>>(
  those: Readonly<Record<string, z.ZodType>>,
  shape: S,
): S {
  const fields = Object.entries(shape).map(([name, field]) => {
    const text = field.description ?? those[name]?.description
    return [name, text === undefined ? field : field.describe(text)]
  })
  return Object.fromEntries(fields) as S
}
