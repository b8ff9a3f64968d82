import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipPart {
  readonly name: string
  readonly content: Buffer
  readonly stored?: boolean
  /** Unix mode, such as that of a symbolic link. */
  readonly mode?: number
  readonly flags?: number
  /** Zeros behind the packed content, as part of it. */
  readonly padding?: number
}

/** A zip archive with any parts, valid or not. */
export function zipFile(parts: readonly ZipPart[]): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const {
    name,
    content,
    stored = false,
    mode = 0o100644,
    flags = 0x800,
    padding = 0,
  } of parts) {
    const packed = stored ? content : deflateRawSync(content)
    const data = Buffer.concat([packed, Buffer.alloc(padding)])
    const label = Buffer.from(name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(flags, 2)
    common.writeUInt16LE(stored ? 0 : 8, 4)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(content.length, 18)
    common.writeUInt16LE(label.length, 22)
    files.push(Buffer.from('504b0304', 'hex'), common, label, data)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE((mode << 16) >>> 0, 6)
    rest.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('504b01021403', 'hex'), common, rest, label)
    offset += 30 + label.length + data.length
  }
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('504b0506', 'hex')
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(entries.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, entries, end])
}
