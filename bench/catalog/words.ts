import type { Random } from '../../demo/random.ts'

const CONSONANTS = [...'bdfgklmnprtvz']
const VOWELS = [...'aeiou']
const SYLLABLES = CONSONANTS.flatMap((c) => VOWELS.map((v) => c + v))
const PAIRS = SYLLABLES.length ** 2
/** Coprime to the number of syllable pairs, so that words of adjacent ranks do not look alike. */
const SPREAD = 1_009

/**
 * The made-up word of a rank from 0: two syllables, three from rank 4,225 on, and never a plural.
 */
export function word(rank: number): string {
  const two = (rank % PAIRS) * SPREAD
  const tail = `${syllable(two % PAIRS)}${syllable(Math.floor((two % PAIRS) / SYLLABLES.length))}`
  return rank < PAIRS ? tail : syllable(Math.floor(rank / PAIRS) - 1) + tail
}

const syllable = (number: number): string => SYLLABLES[number % SYLLABLES.length]!

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Draws ranks from 0 to size - 1; rank r has the weight 1 / (r + 1)^exponent. */
export type Zipf = (random: Random) => number

export function zipf(size: number, exponent = 1): Zipf {
  const upTo = new Float64Array(size)
  let sum = 0
  for (let rank = 0; rank < size; rank++) {
    sum += 1 / (rank + 1) ** exponent
    upTo[rank] = sum
  }
  return (random) => {
    const drawn = random.next() * sum
    let low = 0
    let high = size - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if (upTo[middle]! > drawn) high = middle
      else low = middle + 1
    }
    return low
  }
}
