import { loadSharp } from '../images/load-sharp.ts'
import { sizesOf } from '../images/resize.ts'
import { WIDTHS } from '../images/sizes.ts'
import { imageExists, writeImage } from '../images/store.ts'
import type { Services } from '../operation.ts'
import { demoLines } from './catalog.ts'

/** Draws the pictures that are missing. Their ids are the same on every machine. */
export async function keepPictures(services: Services): Promise<void> {
  const pictures: string[] = []
  for await (const line of demoLines('pictures')) pictures.push(line)
  await Promise.all(pictures.map((line) => keepPicture(services, JSON.parse(line))))
}

async function keepPicture(services: Services, { id, svg }: { id: string; svg: string }) {
  // Versions without sizes stored only the picture.
  if ((await imageExists(services, id)) && (await imageExists(services, id, WIDTHS[0]))) return
  const bytes = await draw(svg)
  await writeImage(services, id, { bytes, sizes: await sizesOf(bytes) })
}

async function draw(svg: string): Promise<Buffer> {
  const sharp = await loadSharp()
  return sharp(Buffer.from(svg)).png({ palette: true, compressionLevel: 9 }).toBuffer()
}
