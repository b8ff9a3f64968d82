import sharp from 'sharp'
import { blankPng } from '../support/pictures.ts'
import type { Attack } from './attack.ts'

const AT_ONCE = 16

const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#fff' } })

/** Small files that decode to as many pixels as allowed, or more. */
const bombs = (): Promise<Buffer>[] => [
  Promise.resolve(blankPng(50_000_000, 1)),
  Promise.resolve(blankPng(1, 1_000_000)),
  Promise.resolve(blankPng(16_384, 3_000)),
  Promise.resolve(blankPng(7_000, 7_000)),
  blank(4_000, 3_000).gif().toBuffer(),
  blank(4_000, 3_000).webp({ lossless: true, effort: 0 }).toBuffer(),
  blank(4_000, 3_000).jpeg({ progressive: true }).toBuffer(),
  blank(7_000, 7_000).jpeg({ progressive: true }).toBuffer(),
  blank(4_000, 3_000).png({ progressive: true }).toBuffer(),
]

export const attack: Attack = {
  name: 'pictures',
  what: `${AT_ONCE} clients of one tenant send small pictures that are large when they are decoded`,
  async prepare(target) {
    const tenant = await target.tenant()
    const files = (await Promise.all(bombs())).map((bytes) => bytes.toString('base64'))
    return async (signal) => {
      const counts = new Map<number, number>()
      let turn = 0
      const client = async () => {
        while (!signal.aborted) {
          const file = files[turn++ % files.length]
          const { status } = await tenant.call('POST', '/api/images', { file })
          counts.set(status, (counts.get(status) ?? 0) + 1)
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, client))
      return [...counts].map(([status, times]) => `${times} x ${status}`).join(', ')
    }
  },
}
