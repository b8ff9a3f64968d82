import { headOf } from '../bytes/stored-bytes.ts'
import type { Format } from '../format.ts'
import { encodingOfXml } from '../text/declared-encoding.ts'
import { opensText } from '../text/open-text.ts'
import { feedRows, HEAD, isFeed } from './feed.ts'

/** A product feed for Google Merchant Center in XML. In tsv it is an ordinary table. */
export const google: Format = {
  type: 'google',
  endings: ['xml'],
  rejectsAs: 'csv',
  recognises: async (file) => isFeed((await headOf(file, HEAD)).toString('latin1')),
  open: opensText({ declares: encodingOfXml, rows: feedRows }),
}
