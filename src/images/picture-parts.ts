import { inflateSync } from 'node:zlib'
import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import type { ImageKind } from './image-kinds.ts'

/**
 * Prepares bytes for the decoder, which reads the parts of a file before it can be stopped. Throws
 * Invalid if there are too many frames, segments, scans or chunks. Texts and large color profiles
 * of a PNG are left out, since a few bytes of them unpack to megabytes.
 */
export function checkedParts(bytes: Buffer, kind: ImageKind): Buffer {
  if (kind === 'webp') checkFrames(framesOfWebp(bytes))
  if (kind === 'jpg') checkJpeg(bytes)
  return kind === 'png' ? shownPng(bytes) : bytes
}

/** Throws Invalid if an animation has too many frames. */
export function checkFrames(frames: number): void {
  if (frames <= limits.imageFrames) return
  throw new Invalid(
    `file: the animation has more than ${limits.imageFrames} frames; save it with fewer`,
  )
}

/**
 * At least the number of frames. Their name is searched for anywhere, since libwebp also finds
 * frames within the bytes that another frame claims.
 */
function framesOfWebp(bytes: Buffer): number {
  let frames = 0
  for (let at = bytes.indexOf('ANMF'); at >= 0; at = bytes.indexOf('ANMF', at + 1)) {
    if (++frames > limits.imageFrames) break
  }
  return frames
}

const MARKER = 0xff
const [START_OF_IMAGE, END_OF_IMAGE, START_OF_SCAN] = [0xd8, 0xd9, 0xda]
const [FIRST_RESTART, LAST_RESTART] = [0xd0, 0xd7]
/** libjpeg skips the markers below, which have no meaning, without a length. */
const FIRST_WITH_LENGTH = 0xc0

/** Whether a marker has no length. Zero stands for a byte 0xff of the pixels. */
const isAlone = (marker: number): boolean =>
  marker < FIRST_WITH_LENGTH ||
  marker === START_OF_IMAGE ||
  (marker >= FIRST_RESTART && marker <= LAST_RESTART)

/** Walks the segments as libjpeg does: whatever is between them is skipped up to the next marker. */
function checkJpeg(bytes: Buffer): void {
  let [segments, scans] = [0, 0]
  for (let at = 0; ; ) {
    while (at < bytes.length && bytes[at] !== MARKER) at++
    while (bytes[at] === MARKER) at++
    const marker = bytes[at++]
    if (marker === undefined || marker === END_OF_IMAGE) return
    if (isAlone(marker)) continue
    segments++
    if (marker === START_OF_SCAN) scans++
    if (segments > limits.jpegSegments || scans > limits.jpegScans) {
      throw new Invalid(
        `file: the JPEG has more than ${limits.jpegScans} scans or ${limits.jpegSegments} segments; save it as a plain JPEG without metadata`,
      )
    }
    if (at + 1 < bytes.length) at += bytes.readUInt16BE(at)
  }
}

const PNG_SIGNATURE_BYTES = 8
/** Bytes of a PNG chunk besides its data: length, name, checksum. */
const CHUNK_BYTES = 12
const UPPER_CASE_MASK = 0x20
/** The optional chunks, besides iCCP, that say how to show a picture. */
const SHOWN = new Set(['tRNS', 'gAMA', 'cHRM', 'sRGB', 'cICP', 'sBIT', 'eXIf'])

/**
 * A PNG without the chunks that do not change how it looks, and without a color profile that is
 * large, damaged or not the first. A damaged end stays as it is.
 */
function shownPng(bytes: Buffer): Buffer {
  const kept = Buffer.alloc(bytes.length)
  let length = bytes.copy(kept, 0, 0, PNG_SIGNATURE_BYTES)
  let at = PNG_SIGNATURE_BYTES
  let chunks = 0
  let hasProfile = false
  while (at + CHUNK_BYTES <= bytes.length) {
    const end = at + CHUNK_BYTES + bytes.readUInt32BE(at)
    if (end > bytes.length) break
    if (++chunks > limits.pngChunks) {
      throw new Invalid(
        `file: the PNG has more than ${limits.pngChunks} chunks; save it with larger ones and without metadata`,
      )
    }
    const name = bytes.toString('latin1', at + 4, at + 8)
    const isProfile = name === 'iCCP'
    const isCritical = (bytes[at + 4]! & UPPER_CASE_MASK) === 0
    const isKept = isProfile
      ? !hasProfile && isProfileSmall(bytes.subarray(at + 8, end - 4))
      : isCritical || SHOWN.has(name)
    if (isKept) length += bytes.copy(kept, length, at, end)
    hasProfile ||= isProfile
    at = end
  }
  length += bytes.copy(kept, length, at)
  return kept.subarray(0, length)
}

/** Whether a color profile can be unpacked and has at most limits.profileBytes. */
function isProfileSmall(data: Buffer): boolean {
  // A name, which ends with a zero, and the method of compression come first.
  const packed = data.subarray(data.indexOf(0) + 2)
  try {
    inflateSync(packed, { maxOutputLength: limits.profileBytes })
    return true
  } catch {
    return false
  }
}
