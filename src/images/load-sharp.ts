import type sharp from 'sharp'

let library: Promise<typeof sharp> | undefined

/** Loads sharp with the first picture: a service without pictures saves 10 MB. */
export function loadSharp(): Promise<typeof sharp> {
  library ??= load()
  return library
}

async function load(): Promise<typeof sharp> {
  const { default: sharp } = await import('sharp')
  // One thread per picture, and no cache of pixels.
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}
