/** Widths, in pixels, of the smaller copies that are stored with a picture. */
export const WIDTHS = [160, 480, 960] as const

/** The widths of at least `pixels`, the narrowest first. */
export const widthsFor = (pixels: number): readonly number[] =>
  WIDTHS.filter((width) => width >= pixels)

/** A picture with its smaller copies. */
export interface SizedPicture {
  readonly bytes: Buffer
  readonly sizes: readonly PictureSize[]
}

export interface PictureSize {
  /** One of WIDTHS. */
  readonly width: number
  /** The picture as WebP. */
  readonly bytes: Buffer
}

/** Total bytes of a picture and its sizes. */
export const bytesOf = ({ bytes, sizes }: SizedPicture): number =>
  sizes.reduce((sum, size) => sum + size.bytes.length, bytes.length)
