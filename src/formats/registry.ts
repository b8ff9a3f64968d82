import { bmecat } from './bmecat/format.ts'
import type { StoredBytes } from './bytes/stored-bytes.ts'
import { cif } from './cif/format.ts'
import { csv } from './csv/format.ts'
import type { Format } from './format.ts'
import { google } from './google/format.ts'
import { jsonl } from './jsonl/format.ts'
import { parquet } from './parquet/format.ts'
import { tsv } from './tsv/format.ts'
import { xlsx } from './xlsx/format.ts'

/** Every type of file that Aisle reads or writes. */
export const FORMATS: readonly Format[] = [csv, tsv, jsonl, xlsx, bmecat, cif, parquet, google]

export const FILE_TYPES: readonly string[] = FORMATS.map(({ type }) => type)

/** The format of this type; undefined for an unknown one. */
export const formatOf = (type: string): Format | undefined =>
  FORMATS.find((format) => format.type === type.toLowerCase())

/**
 * The formats for a file's extension, also of a packed file. The first one applies if the content
 * does not tell.
 */
export function formatsOfName(fileName: string): readonly Format[] {
  const ending = /\.([a-z]+)(?:\.gz|\.zip)?$/i.exec(fileName)?.[1]?.toLowerCase()
  return FORMATS.filter(({ endings }) => ending !== undefined && endings.includes(ending))
}

/** The first of these formats that recognizes the content of a file. Throws NotFound, Invalid. */
export async function recognisedFormat(
  file: StoredBytes,
  formats: readonly Format[] = FORMATS,
): Promise<Format | undefined> {
  for (const format of formats) if (await format.recognises?.(file)) return format
  return undefined
}
