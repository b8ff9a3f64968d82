import type { DecodingBudget } from './decoding-budget.ts'
import { bitsAt, bytesAt, countAt, integerAt } from './read-integers.ts'

const unzigzag = (value: bigint): bigint => (value >> 1n) ^ -(value & 1n)

/** The header of delta-encoded integers. */
function headerAt(bytes: Buffer, from: number, most: number) {
  const block = countAt(bytes, from)
  const parts = countAt(bytes, block.next)
  const total = countAt(bytes, parts.next)
  const first = integerAt(bytes, total.next)
  const each = block.value / parts.value
  if (total.value > most || !Number.isInteger(each) || each % 8 !== 0) {
    throw new RangeError('invalid header of delta-encoded integers')
  }
  return { total: total.value, first: unzigzag(first.value), next: first.next, parts, each }
}

interface DeltaOptions {
  readonly from: number
  /** How many there may be. */
  readonly most: number
  readonly budget: DecodingBudget
}

/** Numbers after the first one, each stored as what it adds to `least` in `width` bits from `at`. */
interface Miniblock {
  readonly least: bigint
  readonly width: number
  readonly at: number
  readonly count: number
}

/**
 * The miniblocks of delta-encoded integers, of which those of zero bits take no bytes. Returns the
 * position after them.
 */
function* miniblocks(
  bytes: Buffer,
  { total, next, parts, each }: ReturnType<typeof headerAt>,
  budget: DecodingBudget,
): Generator<Miniblock, number> {
  let at = next
  for (let left = total - 1; left > 0; ) {
    budget.add(parts.value)
    const { value, next: begin } = integerAt(bytes, at)
    const least = unzigzag(value)
    const widths = bytesAt(bytes, begin, parts.value)
    at = begin + parts.value
    for (const width of widths) {
      if (left <= 0) break
      yield { least, width, at, count: Math.min(each, left) }
      left -= each
      at += (each * width) / 8
    }
  }
  return at
}

/** Decodes delta-encoded integers. */
export function* differences(
  bytes: Buffer,
  { from, most, budget }: DeltaOptions,
): Generator<bigint> {
  const header = headerAt(bytes, from, most)
  let value = header.first
  if (header.total > 0) yield BigInt.asIntN(64, value)
  for (const { least, width, at, count } of miniblocks(bytes, header, budget)) {
    for (let index = 0; index < count; index++) {
      value += least + wideBitsAt(bytes, at * 8 + index * width, width)
      yield BigInt.asIntN(64, value)
    }
  }
}

/** The position after them, found without decoding. */
function endOf(bytes: Buffer, { from, most, budget }: DeltaOptions): number {
  const blocks = miniblocks(bytes, headerAt(bytes, from, most), budget)
  for (;;) {
    const { done, value } = blocks.next()
    if (done) return value
  }
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
    options.budget.addCopied(rest.length + (shared?.length ?? 0))
    before = shared && shared.length > 0 ? Buffer.concat([shared, rest]) : Buffer.from(rest)
    yield before
  }
}

/** Decodes texts with the lengths of prefixes that they share with the text before. */
export function* textsByPrefix(page: Buffer, options: DeltaOptions): Generator<Buffer> {
  const from = endOf(page, options)
  yield* textsByLength(page, { ...options, from, prefixes: differences(page, options) })
}
