import type { Stored } from '../formats/bytes/stored.ts'
import { type Source, unpacked } from '../formats/bytes/unpack.ts'
import type { ImportRows } from '../formats/format.ts'
import { openRows } from '../formats/text/open-text.ts'
import { type Survey, survey } from '../formats/text/survey.ts'
import { openSheet } from '../formats/xlsx/workbook.ts'
import { Interrupted } from '../tasks/patience.ts'
import { limited } from './reading/limited.ts'
import type { ReadingSettings } from './settings.ts'

export interface OpenFileOptions {
  readonly now: Date
  readonly isCancelled: () => boolean
  /** Unpacked bytes that are looked at; all of them when absent. */
  readonly most?: number
}

/** An import file that is ready to be read; close it in the end. */
export interface OpenFile {
  readonly survey: Survey
  readonly rows: ImportRows
  close(): Promise<void>
}

/** Opens a file of any type. Throws NotFound, Invalid, Interrupted when cancelled. */
export async function openFile(
  stored: Stored,
  settings: ReadingSettings,
  { now, isCancelled, most }: OpenFileOptions,
): Promise<OpenFile> {
  const { entry, fileType } = settings
  const sheet =
    fileType === 'xlsx'
      ? await openSheet(stored, {
          entry,
          sheet: settings.sheet ?? null,
          isCancelled,
          ...(most === undefined ? {} : { most }),
        })
      : undefined
  const close = async () => sheet?.close()
  try {
    const whole: Source = sheet?.source ?? (await unpacked(stored, entry))
    const source = most === undefined ? whole : limited(whole, most)
    const surveyed = await survey(source, isCancelled)
    if (!surveyed) throw new Interrupted()
    const today = now.toISOString().slice(0, 10)
    const rows = await openRows(source, surveyed, settings, { today, isCancelled, sheet })
    return { survey: surveyed, rows, close }
  } catch (error) {
    await close()
    throw error
  }
}
