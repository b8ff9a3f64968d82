import { readdir } from 'node:fs/promises'
import sharp from 'sharp'
import { dice } from './fleet.ts'
import { imagesIn, type Place, storedIn } from './stored.ts'

/**
 * Number of pictures that several products show, each stored under one id for all its addresses.
 */
const SHARED = 10
const GONE_EVERY = 20
const WIDTH = 1_000
const HEIGHT = 40
/** A picture of that width has one file, and one for each of its sizes. */
const FILES = 4

/** The number of the picture at a path of the shop; undefined if there is none. */
export function pictureAt(path: string): number | undefined {
  const [, kind, number] = path.split('/')
  if (kind === 'own') return SHARED + Number(number)
  return kind === 'shared' ? Number(number) % SHARED : undefined
}

/** A product with one picture of its own, a shared one, and sometimes one that is missing. */
export function picturedProduct(shop: string, at: number) {
  const gone = at % GONE_EVERY === 0 ? [{ url: `${shop}/gone/${at}` }] : []
  const images = [{ url: `${shop}/shared/${at}` }, ...gone]
  return { id: `P-${at}`, image: `${shop}/own/${at}`, images }
}

/** The expected counts of a task that fetches the pictures of this number of products. */
export function countsOf(products: number) {
  const rejected = Math.ceil(products / GONE_EVERY)
  const updated = 2 * products
  return { processed: updated + rejected, updated, unchanged: 0, rejected }
}

/** A PNG whose first pixel encodes its number. */
export function pictureOf(number: number): Promise<Buffer> {
  const random = dice(number)
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 3)
  for (let at = 0; at < pixels.length; at += 3) {
    pixels.set([number & 255, number >> 8, Math.floor(random() * 64)], at)
  }
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer()
}

async function numberOf(answer: Response): Promise<number | undefined> {
  if (answer.status !== 200) return undefined
  const [red, green] = await sharp(Buffer.from(await answer.arrayBuffer()))
    .raw()
    .toBuffer()
  return red! + 256 * green!
}

const widthOf = async (answer: Response): Promise<number | undefined> =>
  answer.status === 200
    ? (await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).width
    : undefined

interface Wanted {
  readonly products: number
  readonly shop: string
  /** The folder of files. */
  readonly folder: string
  readonly read: (url: string) => Promise<Response>
}

export interface PicturesVerdict {
  /** Pictures that a product does not show or shows wrongly, and files that are missing. */
  readonly lost: number
  /** Pictures and files that exist more than once, or that no product shows. */
  readonly doubled: number
}

/**
 * Compares what products show, what is recorded and what is stored with the pictures of the shop.
 */
export async function comparePictures(
  place: Place,
  organization: string,
  { products, shop, folder, read }: Wanted,
): Promise<PicturesVerdict> {
  let [found, lost, doubled] = [0, 0, 0]
  const shown = new Map<string, number>()
  for await (const { id, pictures } of storedIn(place, `${organization}/c`)) {
    found++
    const { image, images } = picturedProduct(shop, Number(id.slice(2)))
    for (const address of [image, ...images.map(({ url }) => url)]) {
      const number = pictureAt(new URL(address).pathname)
      const url = pictures[address]
      if (number === undefined || url === undefined) {
        if (number !== url) lost++
        continue
      }
      if ((shown.get(url) ?? number) !== number) lost++
      shown.set(url, number)
    }
  }
  lost += products - found
  for (const [url, number] of shown) {
    if ((await numberOf(await read(url))) !== number) lost++
    if ((await widthOf(await read(`${url}?width=480`))) !== 480) lost++
  }
  let records = 0
  for await (const _ of imagesIn(place, organization)) records++
  const files = (await readdir(folder)).filter((name) => name.startsWith('image-'))
  const pictures = products + SHARED
  for (const difference of [
    shown.size - pictures,
    records - pictures,
    files.length - FILES * pictures,
  ]) {
    if (difference > 0) doubled += difference
    else lost -= difference
  }
  return { lost, doubled }
}
