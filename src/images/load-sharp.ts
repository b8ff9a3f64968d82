import { once } from '../platform/once.ts'

/** Loads sharp when the first picture arrives, which saves 10 MB in a service without pictures. */
export const loadSharp = once(async () => {
  const { default: sharp } = await import('sharp')
  // One thread per picture, and no cache of pixels.
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
})
