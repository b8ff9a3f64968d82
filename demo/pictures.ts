import { createHash } from 'node:crypto'
import { families } from './families/index.ts'
import type { Maker } from './makers.ts'
import { shapes } from './shapes.ts'

/** Raise when the drawings change, since the address of a picture never changes its content. */
const EDITION = 1

export interface DemoPicture {
  readonly id: string
  /** Drawn as a PNG of 640 x 480. */
  readonly svg: string
}

/** The same on every machine, so that a picture is drawn only once. */
export function pictureId(family: string, maker: Maker): string {
  const hash = createHash('sha256').update(`aisle demo picture ${EDITION} ${family} ${maker.name}`)
  return `${hash.digest().subarray(0, 16).toString('base64url')}.png`
}

/** One picture for each maker of each family. */
export const demoPictures = (): DemoPicture[] =>
  families.flatMap(({ key, makers }) =>
    makers.map((maker) => ({ id: pictureId(key, maker), svg: drawing(key, maker) })),
  )

const drawing = (family: string, { tint }: Maker): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480" viewBox="0 0 320 240">
    <rect width="320" height="240" fill="#f5f7f9"/>
    <ellipse cx="160" cy="212" rx="120" ry="10" fill="#dde3e8"/>
    ${shapes[family]!(tint)}
  </svg>`
