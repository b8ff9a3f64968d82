import type sharp from 'sharp'

let library: Promise<typeof sharp> | undefined

/** sharp, loaded with the first picture: it takes 10 MB that a service without any does without. */
export function pictureLibrary(): Promise<typeof sharp> {
  library ??= load()
  return library
}

async function load(): Promise<typeof sharp> {
  const { default: sharp } = await import('sharp')
  // One thread a picture, and none of its pixels kept afterwards.
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}
