/** Widths in pixels of the smaller pictures that are kept beside a picture. */
export const WIDTHS = [160, 480, 960] as const

/** Those of them that are wide enough for so many pixels, the narrowest first. */
export const widthsFor = (pixels: number): readonly number[] =>
  WIDTHS.filter((width) => width >= pixels)

/** A picture and what stands for it where it is shown smaller. */
export interface SizedPicture {
  readonly bytes: Buffer
  readonly sizes: readonly PictureSize[]
}

export interface PictureSize {
  /** One of WIDTHS. */
  readonly width: number
  /** As WebP. */
  readonly bytes: Buffer
}

/** Bytes of a picture with its sizes. */
export const bytesOf = ({ bytes, sizes }: SizedPicture): number =>
  sizes.reduce((sum, size) => sum + size.bytes.length, bytes.length)
