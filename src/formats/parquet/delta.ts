import { bitsAt, bytesAt, countAt, integerAt } from './read-integers.ts'
import type { DecodingWork } from './work.ts'

const unzigzag = (value: bigint): bigint => (value >> 1n) ^ -(value & 1n)

/** The header of delta-encoded integers. */
function headerAt(bytes: Buffer, from: number, most: number) {
  const block = countAt(bytes, from)
  const parts = countAt(bytes, block.next)
  const total = countAt(bytes, parts.next)
  const first = integerAt(bytes, total.next)
  const each = block.value / parts.value
  if (total.value > most || !Number.isInteger(each) || each % 8 !== 0) {
    throw new RangeError('numbers that are not as many as they are said to be')
  }
  return { total: total.value, first: unzigzag(first.value), next: first.next, parts, each }
}

interface DeltaOptions {
  readonly from: number
  /** How many there may be. */
  readonly most: number
  readonly work: DecodingWork
}

/** Decodes delta-encoded integers. */
export function* differences(bytes: Buffer, { from, most, work }: DeltaOptions): Generator<bigint> {
  const { total, first, next, parts, each } = headerAt(bytes, from, most)
  let value = first
  let at = next
  if (total > 0) yield BigInt.asIntN(64, value)
  for (let left = total - 1; left > 0; ) {
    work.add(parts.value)
    const least = integerAt(bytes, at)
    const widths = bytesAt(bytes, least.next, parts.value)
    at = least.next + parts.value
    for (const width of widths) {
      if (left <= 0) break
      for (let index = 0; index < each && left > 0; index++, left--) {
        value += unzigzag(least.value) + wideBitsAt(bytes, at * 8 + index * width, width)
        yield BigInt.asIntN(64, value)
      }
      at += (each * width) / 8
    }
  }
}

/** The position after them, found without decoding: integers of zero bits take no bytes. */
function endOf(bytes: Buffer, { from, most, work }: DeltaOptions): number {
  const { total, next, parts, each } = headerAt(bytes, from, most)
  let at = next
  for (let left = total - 1; left > 0; ) {
    work.add(parts.value)
    const least = integerAt(bytes, at)
    const widths = bytesAt(bytes, least.next, parts.value)
    at = least.next + parts.value
    for (const width of widths) {
      if (left <= 0) break
      left -= each
      at += (each * width) / 8
    }
  }
  return at
}

function wideBitsAt(bytes: Buffer, from: number, width: number): bigint {
  if (width <= 32) return BigInt(bitsAt(bytes, from, width))
  return BigInt(bitsAt(bytes, from, 32)) + (BigInt(bitsAt(bytes, from + 32, width - 32)) << 32n)
}

/**
 * Decodes texts after their lengths. `prefixes`: how many bytes each shares with the text before.
 */
export function* textsByLength(
  page: Buffer,
  { prefixes, ...options }: DeltaOptions & { readonly prefixes?: Iterator<bigint> },
): Generator<Buffer> {
  let at = endOf(page, options)
  let before = Buffer.alloc(0)
  for (const length of differences(page, options)) {
    const rest = bytesAt(page, at, Number(length))
    at += rest.length
    const shared = prefixes ? bytesAt(before, 0, Number(prefixes.next().value)) : undefined
    options.work.addCopied(rest.length + (shared?.length ?? 0))
    before = shared && shared.length > 0 ? Buffer.concat([shared, rest]) : Buffer.from(rest)
    yield before
  }
}

/** Decodes texts with the lengths of prefixes that they share with the text before. */
export function* textsByPrefix(page: Buffer, options: DeltaOptions): Generator<Buffer> {
  const from = endOf(page, options)
  yield* textsByLength(page, { ...options, from, prefixes: differences(page, options) })
}
