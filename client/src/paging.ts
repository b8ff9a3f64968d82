import type { CallOptions } from './connection.ts'

/** An operation of a client, or what is called like one. */
type Lists<Out> = (input: never, options?: CallOptions) => Promise<Out>
type InputOf<List extends Lists<unknown>> = NonNullable<Parameters<List>[0]>
type AnswerOf<List extends Lists<unknown>> = Awaited<ReturnType<List>>

interface Numbered {
  readonly page?: number | null
  readonly pageSize?: number | null
}

interface Cursored {
  readonly cursor?: string
}

interface Continued {
  readonly after?: string
}

/** The input of a list that counts its pages; others would answer the same again and again. */
type Paged<Input> = 'page' extends keyof Input ? Input : never

/**
 * The pages of a list, one after the other, until one is empty: `pages(client.getOrganizations, {})`.
 * Of a search they end at hit 10,000, where `walk` goes on.
 */
export async function* pages<List extends Lists<object>>(
  list: List,
  input: Paged<InputOf<List>>,
  options?: CallOptions,
): AsyncGenerator<AnswerOf<List>, void, undefined> {
  const { page: first, pageSize } = input as Numbered
  for (let page = first ?? 0; ; page += 1) {
    const answer = await list({ ...(input as object), page } as never, options)
    const size = lengthOf(answer)
    if (size === 0) return
    yield answer as AnswerOf<List>
    if (pageSize && size < pageSize) return
  }
}

/** An answer is one list, and perhaps its total. */
const lengthOf = (answer: object): number =>
  Object.values(answer).find((value): value is unknown[] => Array.isArray(value))?.length ?? 0

/** All that a search finds, answer by answer: `walk(client.search, { catalog: 'tools' })`. */
export async function* walk<Search extends Lists<Cursored>>(
  search: Search,
  input: InputOf<Search>,
  options?: CallOptions,
): AsyncGenerator<AnswerOf<Search>, void, undefined> {
  const { cursor: first = '*' } = input as Cursored
  for (let cursor: string | undefined = first; cursor !== undefined; ) {
    const answer: Cursored = await search({ ...(input as object), cursor } as never, options)
    yield answer as AnswerOf<Search>
    cursor = answer.cursor
  }
}

/** The pages of a list each of which says after what the next begins: `pagesAfter(client.getPrices, …)`. */
export async function* pagesAfter<List extends Lists<Continued>>(
  list: List,
  input: InputOf<List>,
  options?: CallOptions,
): AsyncGenerator<AnswerOf<List>, void, undefined> {
  let { after } = input as Continued
  do {
    const answer: Continued = await list(
      { ...(input as object), ...(after === undefined ? {} : { after }) } as never,
      options,
    )
    yield answer as AnswerOf<List>
    after = answer.after
  } while (after !== undefined)
}
