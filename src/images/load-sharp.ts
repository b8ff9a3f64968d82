import type sharp from 'sharp'

let library: Promise<typeof sharp> | undefined

/** Loads sharp when the first picture arrives, which saves 10 MB in a service without pictures. */
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
