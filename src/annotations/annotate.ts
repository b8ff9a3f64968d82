import { isDeepStrictEqual } from 'node:util'
import { timeOfUuid } from '../elastic/monthly-names.ts'
import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { type Annotations, annotationsOf, type ProductDocument } from '../products/product.ts'
import { checkVersion, type ProductChange } from '../products/requested-change.ts'

/** Returns an organization's annotations after a change. Pure; may throw a Failure. */
export type AnnotationChange = (annotations: Annotations) => Annotations

export interface AnnotationWrite {
  /** The organization in effect. The annotations of others stay untouched. */
  readonly organization: string
  /** UUIDv7 of the write, by which a retry recognizes that it was applied. */
  readonly id: string
  readonly change: AnnotationChange
  readonly ifMatch?: string | undefined
}

/** Longer than the retries of a request can last, given that clocks of instances differ. */
const REMEMBERED_MS = 4 * limits.requestMs
const REMEMBERED = 1_000

/**
 * Turns a change of annotations into a change of the product's document. It is idempotent, even if
 * others changed the same annotations in between. Throws Invalid for too many bytes.
 */
export function annotationChange({
  organization,
  id,
  change,
  ifMatch,
}: AnnotationWrite): ProductChange {
  return (document) => {
    const before = annotationsOf(document.annotations, organization)
    const { writes = [] } = before
    if (writes.includes(id)) return undefined
    checkVersion(document, ifMatch)
    const after = change(before)
    if (isDeepStrictEqual(after, before)) return undefined
    checkRoom(before, after, document.annotations)
    const remembered = [...recent(writes, id), id].slice(-REMEMBERED)
    return {
      ...document,
      annotations: { ...document.annotations, [organization]: { ...after, writes: remembered } },
    }
  }
}

const recent = (writes: readonly string[], id: string): string[] => {
  const since = timeOfUuid(id).getTime() - REMEMBERED_MS
  return writes.filter((write) => timeOfUuid(write).getTime() > since)
}

// Once for changes that become one write: hundreds of organizations may have annotations.
const bytesOf = memoizeWeak(({ writes: _, ...annotations }: Annotations): number =>
  Buffer.byteLength(JSON.stringify(annotations)),
)

/** Throws Invalid for too many bytes, unless the change makes the annotations smaller. */
function checkRoom(
  before: Annotations,
  after: Annotations,
  all: ProductDocument['annotations'],
): void {
  const [bytes, bytesBefore] = [bytesOf(after), bytesOf(before)]
  if (bytes <= bytesBefore) return
  if (bytes > limits.annotationBytes) {
    throw new Invalid(
      `The organization's favorites, tags, notes, fields, links and images of this product would take up ${bytes} bytes. The limit is ${limits.annotationBytes}.`,
    )
  }
  const inAll = Object.values(all).reduce((sum, annotations) => sum + bytesOf(annotations), 0)
  if (inAll + bytes - bytesBefore > limits.productAnnotationBytes) {
    throw new Invalid(
      `The organization and its sub-organizations together have too many favorites, tags, notes, fields, links and images of this product. The limit is ${limits.productAnnotationBytes} bytes.`,
    )
  }
}
