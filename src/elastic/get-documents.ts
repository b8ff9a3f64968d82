import type { estypes } from '@elastic/elasticsearch'
import { Unavailable } from '../errors.ts'
import { mapInSteps } from '../platform/in-steps.ts'
import { boundedReader, type PortionOptions, readInPortions } from './bounded-reads.ts'
import { call, type Elastic } from './client.ts'
import { type Place, type ReadOptions, sourceToRead, transportOptions } from './place.ts'
import { responseLength } from './response-size.ts'

/** Identifies a document; one that is not visible in its place does not exist. */
export interface DocumentReference {
  readonly place: Place
  readonly target: estypes.MgetOperation
}

/**
 * Reads a document as last written; undefined when it is not visible. Throws what the client does.
 * Reads of large documents take turns.
 */
export async function getDocument<T extends object>(
  elastic: Elastic,
  { place, target: { _index, _id, routing } }: DocumentReference,
  { source: asked, ...options }: ReadOptions = {},
): Promise<estypes.GetGetResult<T> | undefined> {
  const source = asked && sourceToRead(place, asked)
  // A document of no scope, such as an organization, counts as a scope of its own.
  const counted = { kind: place.kind, scope: place.scope ?? _id }
  const reading = boundedReader({ elastic, place: counted, source })
  const answer = await reading.call(1, options, () =>
    elastic.client.get<T>(
      {
        ...{ index: _index!, id: _id },
        ...(routing === undefined ? {} : { routing }),
        ...(source ? { _source_includes: [...source] } : {}),
      },
      transportOptions(options),
    ),
  )
  reading.note(responseLength(answer), 1)
  return (place.visible?.admits(answer._source!) ?? true) ? answer : undefined
}

interface GetOptions
  extends ReadOptions,
    Pick<PortionOptions, 'isPartial' | 'isPatient' | 'first'> {
  /** False reads documents as searches see them, not as last written. */
  readonly realtime?: boolean
}

/**
 * Reads documents of one index in portions, in order; undefined for missing and for invisible ones,
 * whose size is not revealed either. When they are too large together, throws Invalid or, with
 * `isPartial`, returns fewer.
 */
export async function getDocuments<T extends object>(
  elastic: Elastic,
  references: readonly DocumentReference[],
  { source: asked, most, isPartial, realtime = true, ...options }: GetOptions = {},
): Promise<(estypes.GetGetResult<T> | undefined)[]> {
  const place = references[0]?.place
  if (!place) return []
  const places = new Set(references.map((one) => one.place))
  const source = asked && [...new Set([...places].flatMap((one) => sourceToRead(one, asked)))]
  const isRestricted = [...places].some(({ visible }) => visible)
  const weigh = place.visible && lengthOf
  const bounds = { ...options, most, isPartial, weigh }
  return readInPortions({ elastic, place, source }, references, bounds, async (portion) => {
    const answer = await call(() =>
      elastic.client.mget<T>(
        {
          docs: portion.map(({ target }) => target),
          // Reads the copy that was searched.
          ...(realtime || place.scope === null ? {} : { realtime, preference: place.scope }),
          ...(source ? { _source_includes: [...source] } : {}),
        },
        transportOptions(options),
      ),
    )
    const read = answer.docs.map((doc) => {
      if ('error' in doc) throw new Unavailable('A document could not be read. Try again.')
      return doc.found ? doc : undefined
    })
    const isVisible = (doc: estypes.GetGetResult<T>, at: number) =>
      portion[at]!.place.visible?.admits(doc._source!) ?? true
    return {
      // A key's filter may have many conditions, each on many values.
      documents: isRestricted
        ? await mapInSteps(read, (doc, at) => (doc && isVisible(doc, at) ? doc : undefined))
        : read,
      length: responseLength(answer),
      count: read.filter((doc) => doc !== undefined).length,
    }
  })
}

const lengthOf = (documents: readonly unknown[]): number =>
  documents.reduce<number>((sum, one) => sum + (one ? JSON.stringify(one).length : 0), 0)
